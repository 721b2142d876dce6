import { randomUUID } from 'node:crypto';
import type { ContractInputs } from '@callout/contract/contract';
import { newAddress } from '../accounts.ts';

export type NewMemberInput = ContractInputs['staff']['invite'];

/** Somebody to invite; say only what the test is about. */
export function newMember(over: Partial<NewMemberInput> = {}): NewMemberInput {
  return {
    id: randomUUID(),
    name: 'Aroha Ngata',
    email: newAddress(),
    phone: '021 555 987',
    hourly_rate: '45.00',
    role: 'staff',
    ...over,
  };
}
