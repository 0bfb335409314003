/** Generates the completion script for bash from the command table. Pure. */
import type { Command } from '../command.js';
import { completedFlags, LIST_IDS, wordsOf } from './words.js';

export function bashScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name);
  return `# Completion of tenacitty for bash: source <(tenacitty completion bash)
_tenacitty() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} words='' ids=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${names.join(' ')} --help --version' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${commands.flatMap(valueCases).join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${commands.map((command) => wordCase(command, names)).join('\n')}
  esac
  if [[ $current != -* && -n $ids ]]; then words+=" $("\${COMP_WORDS[0]}" ${LIST_IDS})"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tenacitty tenacitty
`;
}

/** Returns the cases of the script that complete flag values: with the flag's choices, with ids, or with files. */
function valueCases(command: Command): string[] {
  return completedFlags(command)
    .filter(({ takesValue }) => takesValue)
    .map(({ name, short, choices, isId }) => {
      const patterns = [name, ...(short === null ? [] : [`-${short}`])].map((flag) => `'${command.name} ${flag}'`);
      const words = isId ? `$("\${COMP_WORDS[0]}" ${LIST_IDS})` : choices.join(' ');
      const reply = words === '' ? '' : `COMPREPLY=($(compgen -W "${words}" -- "$current")); `;
      return `    ${patterns.join(' | ')}) ${reply}return ;;`;
    });
}

function wordCase(command: Command, names: readonly string[]): string {
  const { choices, ids } = wordsOf(command, names);
  const words = [...choices, ...completedFlags(command).map(({ name }) => name)].join(' ');
  return `    ${command.name}) words='${words}'${ids ? ' ids=yes' : ''} ;;`;
}
