/** Renders the top bar: the logo, the search, the theme, the account and the button for a new terminal. */
import { me, signOut } from '../access.js';
import { openNew, openPalette } from '../palette/dialogs.js';
import { PhoneMenu } from '../phone/phone-menu.js';
import { isPhone } from '../phone/width.js';
import { goTo, route } from '../routing/place.js';
import { connection } from '../store/store.js';
import { Brand, Icon } from '../ui/icon.js';
import { switchTheme } from '../ui/theme.js';

export function Bar() {
  const search = (event: Event): void => {
    event.preventDefault();
    const text = new FormData(event.currentTarget as HTMLFormElement).get('q');
    if (typeof text === 'string' && text !== '') goTo(`/search?${new URLSearchParams({ q: text }).toString()}`);
  };
  return (
    <>
      <header class="bar">
        <Brand />
        <form role="search" onSubmit={search}>
          <label class="field field-soft find">
            <Icon name="search" />
            <span class="vh">Search</span>
            <input
              type="search"
              name="q"
              data-search
              placeholder="Search terminals, commands and output"
              value={route.value.query['q'] ?? ''}
            />
            <kbd>/</kbd>
          </label>
        </form>
        <span class="grow" />
        <BarButtons />
      </header>
      {connection.value === 'lost' && (
        <div class="banner banner-wait" role="status">
          No connection to the server. The terminals keep running. Reconnecting …
        </div>
      )}
    </>
  );
}

function BarButtons() {
  const isHere = route.value.view === 'access';
  return (
    <>
      <a class="btn btn-quiet no-phone" href="/access" {...(isHere && { 'aria-current': 'page' as const })}>
        Access
      </a>
      <button class="btn btn-quiet btn-icon no-phone" aria-label="Switch between light and dark" onClick={switchTheme}>
        <Icon name="theme" small={false} />
      </button>
      <span class="who no-phone">
        <Icon name="person" />
        {me.value?.name}
      </span>
      <button class="btn btn-quiet no-phone" onClick={() => void signOut()}>
        Sign out
      </button>
      <button class="btn btn-main no-phone" onClick={openNew}>
        <Icon name="plus" />
        New terminal
      </button>
      <button class="btn btn-quiet btn-icon only-phone" aria-label="Search and commands" onClick={openPalette}>
        <Icon name="search" small={false} />
      </button>
      {isPhone.value && <PhoneMenu />}
    </>
  );
}
