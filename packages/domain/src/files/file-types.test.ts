import { describe, expect, it } from 'vitest';
import { ATTACHMENT_TYPES, acceptText, fileTypeOf, IMAGE_TYPES, isImage } from './file-types.ts';

describe('accepted files', () => {
  it('are exactly these', () => {
    expect(acceptText(ATTACHMENT_TYPES)).toBe('.png,.jpg,.jpeg,.gif,.pdf,.doc,.docx');
    expect(acceptText(IMAGE_TYPES)).toBe('.png,.jpg,.jpeg,.gif,.webp');
  });

  it.each([
    ['leak.png', 'image/png'],
    ['LEAK.JPG', 'image/jpeg'],
    ['quote v1.2.pdf', 'application/pdf'],
    ['réponse.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ])('include %s as %s', (name, mime) => {
    expect(fileTypeOf(name, ATTACHMENT_TYPES)?.mime).toBe(mime);
  });

  it.each(['run.exe', 'logo.svg', 'png', '.png', 'a.png/b', 'a.png.', 'a.png ', 'x.__proto__', '', 'photo.webp'])('exclude %j', (name) => {
    expect(fileTypeOf(name, ATTACHMENT_TYPES)).toBeNull();
  });

  it('include webp as an image and no document', () => {
    expect(fileTypeOf('photo.webp', IMAGE_TYPES)?.mime).toBe('image/webp');
    expect(fileTypeOf('a.pdf', IMAGE_TYPES)).toBeNull();
  });

  it('are images or documents', () => {
    expect(ATTACHMENT_TYPES.filter((type) => isImage(type.mime)).map((type) => type.extension)).toEqual(['png', 'jpg', 'jpeg', 'gif']);
    expect(IMAGE_TYPES.every((type) => isImage(type.mime))).toBe(true);
  });
});
