import { expect, it } from 'vitest';
import { createMutex } from './mutex.ts';

it('what is asked for later waits for what was asked for before, even when that fails', async () => {
  const inTurn = createMutex();
  const happened: string[] = [];
  const first = Promise.withResolvers<void>();
  const answers = [
    inTurn(async () => {
      happened.push('first begins');
      await first.promise;
      happened.push('first ends');
      throw new Error('first failed');
    }),
    inTurn(async () => {
      happened.push('second begins');
      return 'second';
    }),
  ];
  first.resolve();
  expect(await Promise.allSettled(answers)).toMatchObject([{ reason: { message: 'first failed' } }, { value: 'second' }]);
  expect(happened).toEqual(['first begins', 'first ends', 'second begins']);
});
