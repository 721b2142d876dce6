import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { createPasswordHasher, type PasswordHasher } from './password-hasher.ts';

let hasher: PasswordHasher;

beforeAll(() => {
  hasher = createPasswordHasher();
  return () => hasher.close();
});

it('verifies only the password that was hashed', async () => {
  const stored = await hasher.hash('secret-1', '203.0.113.1');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hasher.verify(stored, 'secret-1', '203.0.113.1')).toBe(true);
  expect(await hasher.verify(stored, 'secret-2', '203.0.113.1')).toBe(false);
});

it('reads files while many passwords wait, because hashing uses no thread that reads files', async () => {
  let isHashing = true;
  const hashing = Promise.all(Array.from({ length: 20 }, () => hasher.hash('secret-1', '203.0.113.1'))).then(() => {
    isHashing = false;
  });
  await readFile(import.meta.filename);
  expect(isHashing).toBe(true);
  await hashing;
});

it('lets another network go ahead of a network with many waiting passwords', async () => {
  const order: string[] = [];
  const flood = Array.from({ length: 20 }, () => hasher.hash('secret-1', '203.0.113.1').then(() => order.push('flood')));
  const other = hasher.hash('secret-1', '198.51.100.7').then(() => order.push('other'));
  await Promise.all([...flood, other]);
  expect(order.indexOf('other')).toBeLessThan(3);
});

it('refuses a network with too many waiting passwords and says when to try again', async () => {
  // Cheap hashes, because on a slow machine the last of a hundred real ones would be refused for its long wait.
  const cheapHasher = createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });
  onTestFinished(() => cheapHasher.close());
  const results = await Promise.allSettled(Array.from({ length: 103 }, () => cheapHasher.hash('secret-1', '203.0.113.1')));
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(2);
  expect(refused[0]?.reason).toMatchObject({ code: 'TOO_MANY_ATTEMPTS', data: { retry_after: 1 } });
});
