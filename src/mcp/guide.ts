/** The prompt `terminals`: a short guide, for clients that let a person insert prompts into a conversation. */
import type { McpServer } from '@modelcontextprotocol/server';

const GUIDE = `You have persistent terminals, by the tool "terminal". How to work with them well:

- Each number (0, 1, 2…) is one shell that stays: directory, variables and running programs are there in the next call. Use one number for each line of work, and another for a server or a watcher that goes on.
- EXEC answers with exit_code and cwd, then the output. With completed false the command goes on: read the hint. WAIT waits for its end, for a pattern ("Listening on"), for silence or for a port; never poll with READ in a loop, and never sleep.
- Start servers with await_completion_ms 0, then WAIT with port (0: any) or pattern.
- If it asks something (waiting), INPUT text answers, INPUT keys works full-screen programs, SCREEN shows them. INPUT keys ["ctrl-c"] stops a command; KILL ends a terminal with all its processes.
- When a command has led elsewhere (ssh, sudo -s, docker exec -it, bash, python3), EXEC with within "auto" runs commands there, each with its own output and exit code; it never runs them anywhere else. Leave with exit.
- Long output is shown without its middle: what is left out is named with the call that reads it. SEARCH finds a text in it for less.
- Never ask for a password and never type one: the person types it, as the answer says.
- A terminal outlives this conversation. LIST shows what is there, also what was left running before.`;

export function registerGuide(server: McpServer): void {
  const config = { title: 'Working with terminals', description: 'How to use the tool terminal well.' };
  server.registerPrompt('terminals', config, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: GUIDE } }],
  }));
}
