import { expect, it } from 'vitest';
import { runCleanups } from './clean-up.ts';

it('runCleanups runs every cleanup in order, even after a failure, and then throws the failures', async () => {
  const ran: number[] = [];
  const cleanup = (number: number, fails: boolean) => async () => {
    ran.push(number);
    if (fails) throw new Error(`cleanup ${number}`);
  };
  await expect(runCleanups([cleanup(1, true), cleanup(2, false)])).rejects.toThrow('cleanup 1');
  await expect(runCleanups([cleanup(3, true), cleanup(4, true), cleanup(5, false)])).rejects.toThrow('2 cleanups failed');
  await runCleanups([cleanup(6, false)]);
  expect(ran).toEqual([1, 2, 3, 4, 5, 6]);
});
