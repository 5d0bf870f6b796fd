/* What nobody needs when the play screen opens: it is fetched when it is first wanted, or after a while. */
export { default as EndScreen } from '../play/EndScreen.svelte';
export { default as LessonBubble } from '../learn/LessonBubble.svelte';
export { default as PlayPanels } from './PlayPanels.svelte';
