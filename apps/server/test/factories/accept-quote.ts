import type { ContractClient, ContractInputs } from '@callout/contract/contract';

type CustomerAnswer = Omit<ContractInputs['publicQuotes']['accept'], 'content_hash'>;

/** Accepts a quote as its customer does: after reading what it offers now. */
export async function acceptAsCustomer({ publicQuotes }: Pick<ContractClient, 'publicQuotes'>, answer: CustomerAnswer) {
  const { content_hash } = await publicQuotes.get({ token: answer.token });
  return publicQuotes.accept({ ...answer, content_hash: content_hash ?? '' });
}

type MemberAnswer = Omit<ContractInputs['quotes']['accept'], 'version'>;

/** Accepts a quote as a member does: after opening its current version. */
export async function acceptAsMember({ quotes }: Pick<ContractClient, 'quotes'>, answer: MemberAnswer) {
  const { version } = await quotes.get({ id: answer.id });
  return quotes.accept({ ...answer, version });
}
