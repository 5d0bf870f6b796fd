/* All pages but the play screen: whoever follows a link to a table need not wait for them. */
export { default as Daily } from './Daily.svelte';
export { default as Join } from './Join.svelte';
export { default as Learn } from './Learn.svelte';
export { default as NewTable } from './NewTable.svelte';
export { default as Replay } from './Replay.svelte';
export { default as RulesPage } from './RulesPage.svelte';
export { default as Start } from './Start.svelte';
