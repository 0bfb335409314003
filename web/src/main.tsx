/** Entry point of the page: loads the styles, and renders the view for the current URL and user. */
import './styles/tokens.css';
import './styles/page.css';
import './styles/more.css';
import { render } from 'preact';
import { findMe, me } from './access.js';
import { App } from './app.js';
import { watchAddress } from './routing/place.js';
import './ui/theme.js';

watchAddress();
findMe().catch(() => {
  if (me.peek() === undefined) me.value = null;
});
render(<App />, document.querySelector('#page')!);
