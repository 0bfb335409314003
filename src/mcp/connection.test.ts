/** Recognises commands that open a prompt which this system cannot observe, from their text. */
import { leadsToPrompt } from './connection.js';

it.each([
  'ssh host',
  'ssh -p 2222 -o StrictHostKeyChecking=no root@10.0.0.1',
  'ssh -i key -At user@host',
  '  sudo ssh host ',
  'ssh host -p 22',
  'mosh host',
  'docker exec -it web sh',
  'docker run --rm -ti debian bash',
  'docker compose exec -t web sh',
  'podman exec --interactive --tty web sh',
  'kubectl -n prod exec -it pod/web -- sh',
])('leads to a prompt: %s', (command) => {
  expect(leadsToPrompt(command)).toBe(true);
});

it.each([
  'ssh host make',
  'ssh -p 22 host "uname -a"',
  'ssh -N -L 8080:localhost:80 host',
  'ssh -fNT host',
  'ssh -V',
  'ssh',
  'ssh host; make',
  'ssh host < script',
  'ssh-keygen -t ed25519',
  'docker exec web make test',
  'docker build -t image .',
  'docker run -d --name t web',
  'kubectl get pods',
  'echo ssh host',
  'make',
  '',
])('does not lead to a prompt: %s', (command) => {
  expect(leadsToPrompt(command)).toBe(false);
});
