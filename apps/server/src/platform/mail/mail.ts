import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { EffectPlace } from '../queue/task.ts';

export interface Mail {
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Puts a mail into the outbox, in the transaction of whoever causes it: no mail for what was rolled back, none lost for what was committed. */
export async function queueMail(place: EffectPlace, mail: Mail): Promise<void> {
  const id = randomUUID();
  if ('db' in place) {
    await place.db.execute(
      sql`select queue_mail(${id}, ${place.companyId}, ${mail.recipient}, ${mail.subject}, ${mail.text}, ${mail.html})`,
    );
  } else {
    await place.query('select queue_mail($1, null, $2, $3, $4, $5)', [id, mail.recipient, mail.subject, mail.text, mail.html]);
  }
}
