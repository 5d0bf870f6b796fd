import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { dress } from './settings.svelte';

dress();
mount(App, { target: document.getElementById('app')! });
