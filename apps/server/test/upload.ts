import type { TestApp } from './test-app.ts';

export const MULTIPART_BOUNDARY = 'callout-test-boundary';

/** Builds the multipart body that a browser form sends to upload one file. */
export function buildMultipartBody(name: string, bytes: Buffer, ending = `\r\n--${MULTIPART_BOUNDARY}--\r\n`): Buffer {
  const head = `--${MULTIPART_BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(ending)]);
}

export const MULTIPART_HEADERS = { 'content-type': `multipart/form-data; boundary=${MULTIPART_BOUNDARY}` };

export function uploadFile(test: TestApp, path: string, cookie: string, name: string, bytes: Buffer) {
  return test.request('PUT', path, { cookie, headers: MULTIPART_HEADERS, body: buildMultipartBody(name, bytes) });
}
