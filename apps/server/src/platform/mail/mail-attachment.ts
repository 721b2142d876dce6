/** A file attached to an email. The file is built at delivery; until then, the outbox stores only the payload to build it from. */
export interface AttachedFile {
  /** A file name such as 'INV-2026-0187.pdf'. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface MailAttachment<Payload = unknown> {
  readonly maker: string;
  readonly payload: Payload;
}

/** A kind of file that can be attached to emails. */
export interface AttachmentKind<Payload> {
  readonly name: string;
  from(payload: Payload): MailAttachment<Payload>;
}

export function defineAttachmentKind<Payload>(name: string): AttachmentKind<Payload> {
  return { name, from: (payload) => ({ maker: name, payload }) };
}

/** Builds attachments of one kind for the email's company. */
export interface AttachmentMaker {
  readonly name: string;
  make(companyId: string, payload: unknown): Promise<AttachedFile>;
}

/** Creates the maker for a kind of attachment. Casting the payload is safe, because the same kind's `from` wrote it. */
export function createAttachmentMaker<Payload>(
  { name }: AttachmentKind<Payload>,
  make: (companyId: string, payload: Payload) => Promise<AttachedFile>,
): AttachmentMaker {
  return { name, make: (companyId, payload) => make(companyId, payload as Payload) };
}

/** Thrown if the file can't be built. The email is then retried later, but never sent without its file. */
export class AttachmentError extends Error {
  constructor(maker: string, cause: unknown) {
    super(`Could not build the attachment '${maker}': ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

export async function makeAttachedFile(
  { company_id, attachment }: { readonly company_id: string | null; readonly attachment: MailAttachment | null },
  makers: readonly AttachmentMaker[],
): Promise<AttachedFile | null> {
  if (!attachment) return null;
  try {
    const maker = makers.find(({ name }) => name === attachment.maker);
    if (!maker || company_id === null) throw new Error('it has no maker or no company');
    return await maker.make(company_id, attachment.payload);
  } catch (error) {
    throw new AttachmentError(attachment.maker, error);
  }
}
