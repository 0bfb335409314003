import { assembleInTurn } from './page-turns.js';

describe('work in turns', () => {
  it('is done one after the other, except for work of a single step', async () => {
    const said: string[] = [];
    const long = (name: string) =>
      assembleInTurn(async (turn) => {
        for (let step = 0; step < 3; step++) {
          said.push(`${name}${step}`);
          await turn();
        }
        return name;
      });
    const short = assembleInTurn(async () => said.push('short'));
    expect(await Promise.all([long('a'), long('b'), short, long('c')])).toEqual(['a', 'b', 1, 'c']);
    expect(said).toEqual(['short', 'a0', 'b0', 'c0', 'a1', 'a2', 'b1', 'b2', 'c1', 'c2']);
  });

  it('continues with the next one after a failure', async () => {
    const failing = assembleInTurn(async (turn) => {
      await turn();
      throw new Error('no');
    });
    const next = assembleInTurn(async (turn) => turn());
    await expect(failing).rejects.toThrow('no');
    await next;
  });
});
