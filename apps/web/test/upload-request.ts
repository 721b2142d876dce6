import { vi } from 'vitest';

/** An upload whose progress and answer the test decides: happy-dom sends files nowhere. */
export class UploadRequest extends EventTarget {
  static all: UploadRequest[] = [];
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
    UploadRequest.all.push(this);
  }
  abort() {
    this.isAborted = true;
    this.end('abort');
  }
  progress(share: number) {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: share * 100, total: 100 }));
  }
  answer(status = 201, body: object = {}) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.end('load');
  }
  fail() {
    this.end('error');
  }
  private end(how: 'load' | 'abort' | 'error') {
    this.dispatchEvent(new Event(how));
    this.dispatchEvent(new Event('loadend'));
  }
}

/** Until the test ends. */
export function playUploads(): UploadRequest[] {
  UploadRequest.all = [];
  vi.stubGlobal('XMLHttpRequest', UploadRequest);
  return UploadRequest.all;
}
