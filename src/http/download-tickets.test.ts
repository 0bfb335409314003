import type { Principal } from '../access/principal.js';
import { DownloadTickets } from './download-tickets.js';

const MAX_TICKETS = 20;
const DOWNLOAD = { terminalId: 't', format: 'text' } as const;

function signedIn(id: string, as: string): Principal {
  return { id, kind: 'key', name: id, role: 'owner', signIn: { id, as } };
}

it('lets only the caller that it was created for download, once', () => {
  const tickets = new DownloadTickets();
  const [one, other] = [signedIn('s1', 'one'), signedIn('s2', 'one')];
  const ticket = tickets.create(one, DOWNLOAD);
  expect(tickets.redeem(one, ticket)).toMatchObject(DOWNLOAD);
  expect(tickets.redeem(one, ticket)).toBeUndefined();
  expect(tickets.redeem(other, tickets.create(one, DOWNLOAD))).toBeUndefined();
});

it('drops the oldest ticket of an account that has too many, and none of another account', () => {
  const tickets = new DownloadTickets();
  const [one, again, other] = [signedIn('s1', 'one'), signedIn('s2', 'one'), signedIn('s3', 'other')];
  const others = tickets.create(other, DOWNLOAD);
  const first = tickets.create(one, DOWNLOAD);
  for (let at = 0; at < MAX_TICKETS; at++) tickets.create(again, DOWNLOAD);
  expect(tickets.redeem(one, first)).toBeUndefined();
  expect(tickets.redeem(other, others)).toMatchObject(DOWNLOAD);
});
