/** Defines the `terminals` prompt, a short guide for clients that let a person insert prompts into a conversation. */
import type { McpServer } from '@modelcontextprotocol/server';

const GUIDE = `You have persistent terminals, through the tool "terminal". How to work with them well:

- Each number (0, 1, 2…) is one shell that stays: its directory, variables and running programs are still there in the next call. Use one number for each line of work, and another one for a server or a watcher.
- EXEC answers with exit_code and cwd, then the output. If completed is false, the command is still running: read the hint. WAIT waits for its end, for a pattern ("Listening on"), for silence or for a port; never poll with READ in a loop, and never sleep.
- Start servers with await_completion_ms 0, then WAIT with port (0: any) or pattern.
- If a command asks for something (waiting), INPUT text answers, INPUT keys controls full-screen programs, SCREEN shows them. INPUT keys ["ctrl-c"] stops a command; KILL ends a terminal with all its processes.
- If a command opened a nested shell or REPL (ssh, sudo -s, docker exec -it, bash, python3), EXEC with within "auto" runs commands there, each with its own output and exit code, and never anywhere else. Leave it with exit.
- Long output is shown without its middle; a note in its place contains the call that reads it. SEARCH finds text in it at a lower cost.
- Never ask for a password and never type one: the user types it, as the answer says.
- Terminals outlive this conversation. LIST shows them, including those that were left running before.`;

export function registerGuide(server: McpServer): void {
  const config = { title: 'Working with terminals', description: 'How to use the terminal tool well.' };
  server.registerPrompt('terminals', config, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: GUIDE } }],
  }));
}
