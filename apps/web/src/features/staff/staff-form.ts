import { buildStaffMemberSchema, InvitationInput, type StaffMember } from '@callout/contract/staff';
import { defineForm } from '../../lib/form-definition.ts';
import { ROLE_CHOICES } from './staff-badges.tsx';

const roleField = { label: 'Role', input: 'cards', choices: ROLE_CHOICES, initial: 'staff', width: 'full' } as const;

export const invitationForm = defineForm({
  schema: InvitationInput,
  fromRecord: (member: StaffMember) => member,
  fields: {
    name: { label: 'Full Name' },
    email: { label: 'Email Address', input: 'email' },
    phone: { label: 'Phone Number', input: 'phone' },
    hourly_rate: { label: 'Hourly Rate', input: 'decimal' },
    role: roleField,
  },
});

export const createStaffForm = (stored: Pick<StaffMember, 'phone' | 'hourly_rate'>) =>
  defineForm({
    schema: buildStaffMemberSchema(stored),
    fromRecord: (member: StaffMember) => ({ ...member, color_id: member.color?.id }),
    fields: {
      name: { label: 'Full Name' },
      email: { label: 'Email', input: 'email' },
      phone: { label: 'Phone', input: 'phone' },
      hourly_rate: { label: 'Hourly Rate', input: 'decimal' },
      role: roleField,
      color_id: {
        label: 'Identifier Color',
        input: 'colors',
        width: 'full',
        hint: 'Marks their jobs on the board and in the calendar.',
      },
    },
  });
