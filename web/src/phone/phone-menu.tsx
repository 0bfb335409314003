/** Renders the menu of the page on a phone, which replaces the buttons of the top bar. */
import { me, signOut } from '../access.js';
import { dialog, openNew, openPalette } from '../palette/dialogs.js';
import { goTo } from '../routing/place.js';
import { attempt } from '../terminal/more.js';
import { Menu } from '../ui/menu.js';
import { switchTheme, theme } from '../ui/theme.js';

export function PhoneMenu() {
  const acts: [string, () => void][] = [
    ['New terminal', openNew],
    ['Search and commands', openPalette],
    [theme.value === 'dark' ? 'Light colours' : 'Dark colours', switchTheme],
    ['Sign-ins', () => goTo('/access')],
    ['Keys', () => (dialog.value = 'keys')],
    [`Sign out ${me.value?.name ?? ''}`.trim(), () => attempt(signOut())],
  ];
  return (
    <Menu label="Menu" icon="menu" class="only-phone">
      {acts.map(([words, act]) => (
        <button key={words} class="mi" role="menuitem" onClick={act}>
          {words}
        </button>
      ))}
    </Menu>
  );
}
