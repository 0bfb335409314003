/** Tests what a client may be sent: alone, among others, and after a pause. */
import { Allowance } from './allowance.js';

const MB = 1 << 20;
let clients: Allowance[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.end()));

function join(count: number): Allowance {
  clients = Array.from({ length: count }, () => new Allowance(0));
  return clients[0]!;
}

it('lets one client alone have everything', () => {
  const client = join(1);
  for (let ms = 1; ms <= 1000; ms++) expect(client.take(MB, ms)).toBe(true);
});

it('lets a hundred clients have a hundredth each, after a burst', () => {
  const client = join(100);
  let taken = 0;
  for (let ms = 1; ms <= 10_000; ms++) {
    if (!client.take(0, ms)) continue;
    client.take(MB / 100, ms);
    taken += MB / 100;
  }
  expect(taken).toBeGreaterThan(4 * MB);
  expect(taken).toBeLessThan(6 * MB);
});

it('says how long to wait, and saves up no more than a burst', () => {
  const client = join(100);
  expect(client.take(200 * MB, 0)).toBe(false);
  const waitMs = client.waitMs(0);
  expect(waitMs).toBe(1000);
  expect(client.take(MB, 1e9)).toBe(false);
});
