import { expect, it } from 'vitest';
import { findAttachmentError } from './attachment.ts';

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
