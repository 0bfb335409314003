/** Tests that `.env.example` matches the table of settings exactly. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { resolveOptions } from '../../src/config.js';
import { SETTING_NAMES, SETTINGS } from '../../src/config/settings.js';

const ROOT = join(import.meta.dirname, '..', '..');
const text = readFileSync(join(ROOT, '.env.example'), 'utf8');

describe('.env.example', () => {
  it('contains every setting and no other', () => {
    expect(Object.keys(parseEnv(text)).sort()).toEqual([...SETTING_NAMES].sort());
  });

  it.each(SETTING_NAMES)('explains %s and shows its default', (name) => {
    const setting = SETTINGS[name];
    const otherwise = 'otherwise' in setting ? `# Default: ${setting.otherwise}.\n` : '';
    const entry = `# ${setting.doc}\n# Expected: ${setting.expected}.\n${otherwise}${name}=${setting.fallback ?? ''}\n`;
    expect(text).toContain(entry);
  });

  it('changes nothing if it is used unchanged', () => {
    const { options, warnings } = resolveOptions({ argv: ['--settings-file', '.env.example'], env: {}, cwd: ROOT });
    const { origins: _origins, envFile: _file, ...fromExample } = options;
    const { origins: _default, envFile: _none, ...defaults } = resolveOptions({ env: {}, cwd: '/' }).options;
    expect(fromExample).toEqual(defaults);
    expect(warnings).toEqual([]);
  });
});
