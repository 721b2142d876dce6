interface CallErrorOptions {
  status?: number;
  message?: string | undefined;
  data?: unknown;
}

/** A refusal of the server: one of the contract's error codes, or an unknown one from something in between. */
export class CallError extends Error {
  readonly code: string;
  readonly status: number;
  readonly data: unknown;

  constructor(code: string, { status = 500, message, data }: CallErrorOptions = {}) {
    super(message ?? code);
    this.name = 'CallError';
    this.code = code;
    this.status = status;
    this.data = data;
  }
}
