import { expect, test } from 'vitest';
import { linkOf } from './outbox-words.ts';

test('the link of a mail is its first', () => {
  expect(linkOf('Confirm here:\nhttp://localhost:3000/join?token=a-b_c\n\nOr open https://callout.example')).toBe(
    'http://localhost:3000/join?token=a-b_c',
  );
  expect(linkOf('No link in here')).toBeUndefined();
});
