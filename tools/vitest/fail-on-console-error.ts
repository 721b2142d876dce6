import { format } from 'node:util';
import { afterEach } from 'vitest';

/** Fails every test that logs an error. Tests that expect an error mock console.error. */
const printed: string[] = [];
console.error = (...values: unknown[]) => {
  printed.push(format(...values));
};

afterEach(() => {
  const errors = printed.splice(0);
  if (errors.length > 0) throw new Error(`console.error was called:\n${errors.join('\n')}`);
});
