import { mount } from 'svelte';
import App from './App.svelte';
import './fonts.css';
import './app.css';
import { applyAppearance } from './settings.svelte';

applyAppearance();
mount(App, { target: document.getElementById('app')! });
