import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { applyAppearance } from './settings.svelte';

applyAppearance();
mount(App, { target: document.getElementById('app')! });
