import { describe, expect, it } from 'vitest';
import { ATTACHMENT_TYPES, buildAcceptAttribute, findFileType, IMAGE_TYPES, isImageMimeType } from './file-types.ts';

describe('accepted file types', () => {
  it('are exactly the listed extensions', () => {
    expect(buildAcceptAttribute(ATTACHMENT_TYPES)).toBe('.png,.jpg,.jpeg,.gif,.pdf,.doc,.docx');
    expect(buildAcceptAttribute(IMAGE_TYPES)).toBe('.png,.jpg,.jpeg,.gif,.webp');
  });

  it.each([
    ['leak.png', 'image/png'],
    ['LEAK.JPG', 'image/jpeg'],
    ['quote v1.2.pdf', 'application/pdf'],
    ['réponse.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ])('include %s as %s', (name, mime) => {
    expect(findFileType(name, ATTACHMENT_TYPES)?.mime).toBe(mime);
  });

  it.each(['run.exe', 'logo.svg', 'png', '.png', 'a.png/b', 'a.png.', 'a.png ', 'x.__proto__', '', 'photo.webp'])('exclude %j', (name) => {
    expect(findFileType(name, ATTACHMENT_TYPES)).toBeNull();
  });

  it('for images include WebP and exclude document formats', () => {
    expect(findFileType('photo.webp', IMAGE_TYPES)?.mime).toBe('image/webp');
    expect(findFileType('a.pdf', IMAGE_TYPES)).toBeNull();
  });

  it('are recognized as images by their MIME type', () => {
    expect(ATTACHMENT_TYPES.filter((type) => isImageMimeType(type.mime)).map((type) => type.extension)).toEqual([
      'png',
      'jpg',
      'jpeg',
      'gif',
    ]);
    expect(IMAGE_TYPES.every((type) => isImageMimeType(type.mime))).toBe(true);
  });
});
