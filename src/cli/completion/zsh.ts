/** Generates the completion script for zsh from the command table. Pure. */
import type { Command } from '../command.js';
import { completedFlags, LIST_IDS, quoted, wordsOf } from './words.js';
import type { CompletedFlag } from './words.js';

export function zshScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name);
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  return `#compdef tenacitty
# Completion of tenacitty for zsh: source <(tenacitty completion zsh)
_tenacitty_ids() { compadd -- \${(f)"$(\${service:-tenacitty} ${LIST_IDS})"} }
_tenacitty() {
  local -a commands=(
${described.join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${commands.map((command) => commandCase(command, names)).join('\n')}
  esac
}
# In a directory of fpath, zsh calls this file as the function itself.
if [[ $funcstack[1] == _tenacitty ]]; then _tenacitty "$@"; else compdef _tenacitty tenacitty; fi
`;
}

function commandCase(command: Command, names: readonly string[]): string {
  const { choices, ids } = wordsOf(command, names);
  const words = ids ? ["'*:id:_tenacitty_ids'"] : choices.length > 0 ? [quoted(`*:word:(${choices.join(' ')})`)] : [];
  const specs = [...completedFlags(command).flatMap(flagSpecs), ...words];
  return `    ${command.name}) _arguments ${specs.join(' ')} ;;`;
}

function flagSpecs({ name, short, doc, takesValue, choices, isId }: CompletedFlag): string[] {
  const values = isId ? '_tenacitty_ids' : choices.length > 0 ? `(${choices.join(' ')})` : '_files';
  const text = doc.replace(/[[\]:\\]/g, '\\$&');
  const names = short === null ? [name] : [name, `-${short}`];
  return names.map((flag) => quoted(`*${flag}[${text}]${takesValue ? `:value:${values}` : ''}`));
}
