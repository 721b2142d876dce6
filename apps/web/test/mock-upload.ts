import { vi } from 'vitest';

/** A fake XMLHttpRequest, because happy-dom can't upload files. The test controls the progress and the response. */
export class MockUpload extends EventTarget {
  static sent: MockUpload[] = [];
  readonly upload = new EventTarget();
  url = '';
  file: File | null = null;
  status = 0;
  responseText = '';
  isAborted = false;

  open(_method: string, url: string) {
    this.url = url;
  }
  setRequestHeader() {}
  send(body: FormData) {
    const file = body.get('file');
    this.file = file instanceof File ? file : null;
    MockUpload.sent.push(this);
  }
  abort() {
    this.isAborted = true;
    this.end('abort');
  }
  reportProgress(share: number) {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: share * 100, total: 100 }));
  }
  respond(status = 201, body: object = {}) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.end('load');
  }
  fail() {
    this.end('error');
  }
  private end(type: 'load' | 'abort' | 'error') {
    this.dispatchEvent(new Event(type));
    this.dispatchEvent(new Event('loadend'));
  }
}

/** Replaces XMLHttpRequest until the test ends. Returns the list of uploads, which grows with each one sent. */
export function mockUploads(): MockUpload[] {
  MockUpload.sent = [];
  vi.stubGlobal('XMLHttpRequest', MockUpload);
  return MockUpload.sent;
}
