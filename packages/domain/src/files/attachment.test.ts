import { expect, it } from 'vitest';
import { findAttachmentError, MAX_COMMENT_FILES, MAX_COMMENT_LENGTH, TOO_MANY_FILES_ERROR } from './attachment.ts';

it.each([
  ['leak.png', 1, null],
  ['LEAK.JPEG', 26_214_400, null],
  ['quote.docx', 500, null],
  ['run.exe', 500, 'File type must be .png, .jpg, .jpeg, .gif, .pdf, .doc, .docx'],
  ['logo.svg', 500, 'File type must be .png, .jpg, .jpeg, .gif, .pdf, .doc, .docx'],
  ['photo.webp', 500, 'File type must be .png, .jpg, .jpeg, .gif, .pdf, .doc, .docx'],
  ['leak.png', 26_214_401, 'File is larger than 26214400 bytes'],
  ['leak.png', 0, 'File is smaller than 1 bytes'],
])('for the attachment %s with %d bytes, the error is %s', (name, size, error) => {
  expect(findAttachmentError({ name, size })).toBe(error);
});

it('a comment has at most 20 files and 10,000 characters', () => {
  expect([MAX_COMMENT_FILES, MAX_COMMENT_LENGTH]).toEqual([20, 10_000]);
});

it('says that there are too many files', () => {
  expect(TOO_MANY_FILES_ERROR).toBe('Too many files');
});
