import { format } from 'node:util';
import { afterEach } from 'vitest';

/** A test that expects a console error spies on console.error. */
const printed: string[] = [];
console.error = (...words: unknown[]) => {
  printed.push(format(...words));
};

afterEach(() => {
  const errors = printed.splice(0);
  if (errors.length > 0) throw new Error(`console.error was called:\n${errors.join('\n')}`);
});
