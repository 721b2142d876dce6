import type { TestApp } from './test-app.ts';

export const BOUNDARY = 'callout-test-boundary';

/** One file, as a browser's form sends it. */
export function multipart(name: string, bytes: Buffer, ending = `\r\n--${BOUNDARY}--\r\n`): Buffer {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(ending)]);
}

export const multipartHeaders = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

export function uploadTo(test: TestApp, path: string, cookie: string, name: string, bytes: Buffer) {
  return test.request('PUT', path, { cookie, headers: multipartHeaders, body: multipart(name, bytes) });
}
