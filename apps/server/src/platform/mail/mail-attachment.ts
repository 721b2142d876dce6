/** A file that goes with a mail. It is made when the mail is delivered: only what it is made from waits in the outbox. */
export interface AttachedFile {
  /** 'INV-2026-0187.pdf' */
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface MailAttachment<Payload = unknown> {
  readonly maker: string;
  readonly payload: Payload;
}

/** A kind of file that mails can carry. */
export interface AttachmentKind<Payload> {
  readonly name: string;
  from(payload: Payload): MailAttachment<Payload>;
}

export function defineAttachment<Payload>(name: string): AttachmentKind<Payload> {
  return { name, from: (payload) => ({ maker: name, payload }) };
}

/** The function that makes the files of one kind, for the company of the mail. */
export interface AttachmentMaker {
  readonly name: string;
  make(companyId: string, payload: unknown): Promise<AttachedFile>;
}

/** The cast is safe because `from` of the same kind wrote the payload. */
export function makeAttachment<Payload>(
  { name }: AttachmentKind<Payload>,
  make: (companyId: string, payload: Payload) => Promise<AttachedFile>,
): AttachmentMaker {
  return { name, make: (companyId, payload) => make(companyId, payload as Payload) };
}

/** A mail is never sent without its file: it waits until the file can be made. */
export class AttachmentError extends Error {
  constructor(maker: string, cause: unknown) {
    super(`The file '${maker}' of a mail could not be made: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

export async function attachedFileOf(
  { company_id, attachment }: { readonly company_id: string | null; readonly attachment: MailAttachment | null },
  makers: readonly AttachmentMaker[],
): Promise<AttachedFile | null> {
  if (!attachment) return null;
  try {
    const maker = makers.find(({ name }) => name === attachment.maker);
    if (!maker || company_id === null) throw new Error('nobody makes it');
    return await maker.make(company_id, attachment.payload);
  } catch (error) {
    throw new AttachmentError(attachment.maker, error);
  }
}
