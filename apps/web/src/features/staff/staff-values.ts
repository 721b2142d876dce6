import { type StaffMember, StaffMemberForm } from '@callout/contract/staff';
import type { Role } from '@callout/domain/roles/roles';
import { z } from 'zod';

/** What the fields of the form hold while somebody types: text throughout, empty for what is absent. */
export interface StaffValues {
  name: string;
  email: string;
  phone: string;
  hourly_rate: string;
  role: Role;
  color_id: string;
}

export type StaffField = keyof StaffValues;

export const STAFF_FIELD_LABELS: Record<StaffField, string> = {
  name: 'Full Name',
  email: 'Email',
  phone: 'Phone',
  hourly_rate: 'Hourly Rate',
  role: 'Role',
  color_id: 'Identifier Color',
};

export function staffValues(member: StaffMember): StaffValues {
  return {
    name: member.name,
    email: member.email,
    phone: member.phone ?? '',
    hourly_rate: member.hourly_rate ?? '',
    role: member.role,
    color_id: member.color?.id ?? '',
  };
}

/** The contract's form, for which no colour is null. */
export const StaffFormSchema = z
  .custom<StaffValues>()
  .transform((values): z.input<typeof StaffMemberForm> => ({ ...values, color_id: values.color_id || null }))
  .pipe(StaffMemberForm);
