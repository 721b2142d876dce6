import { expect, it } from 'vitest';
import { runAll } from './clean-up.ts';

it('every cleanup runs, in order, and the failures are reported afterwards', async () => {
  const ran: number[] = [];
  const cleanup = (number: number, fails: boolean) => async () => {
    ran.push(number);
    if (fails) throw new Error(`cleanup ${number}`);
  };
  await expect(runAll([cleanup(1, true), cleanup(2, false)])).rejects.toThrow('cleanup 1');
  await expect(runAll([cleanup(3, true), cleanup(4, true), cleanup(5, false)])).rejects.toThrow('2 cleanups failed');
  await runAll([cleanup(6, false)]);
  expect(ran).toEqual([1, 2, 3, 4, 5, 6]);
});
