/** Tests that a lost live connection says when it is tried again, and is tried at once on request. */
import { LiveTerminal, type Socket } from '../../src/client/live-terminal.js';
import { Requests } from '../../src/client/requests.js';

class FakeSocket implements Socket {
  static readonly all: FakeSocket[] = [];
  binaryType = '';
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  onerror: Socket['onerror'] = null;

  constructor() {
    FakeSocket.all.push(this);
  }

  send(): void {}

  close(): void {}

  open(): void {
    this.onmessage?.({ data: JSON.stringify({ type: 'hello', holder: null }) });
  }

  lose(): void {
    this.onclose?.({ code: 1006, reason: '' });
  }
}

it('waits for the next attempt, or makes it at once', () => {
  const live = new LiveTerminal(new Requests({ url: 'http://127.0.0.1:1' }), '/api/terminals/a', {
    ...{ WebSocket: FakeSocket, onOutput: () => {}, onSnapshot: () => {} },
  });
  const [first] = FakeSocket.all;
  first!.open();
  live.retry();
  expect([live.retryAt, FakeSocket.all.length]).toEqual([null, 1]);
  const before = Date.now();
  first!.lose();
  expect(live.retryAt).toBeGreaterThanOrEqual(before);
  live.retry();
  expect([live.retryAt, FakeSocket.all.length]).toEqual([null, 2]);
  FakeSocket.all[1]!.open();
  FakeSocket.all[1]!.lose();
  live.close();
  expect(live.retryAt).toBeNull();
});
