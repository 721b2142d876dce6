import { ROLES } from '@callout/domain/roles/roles';
import { z } from 'zod';
import { LinkToken, MailOutcome, Password } from './auth.ts';
import { defineCall, defineSecretCall } from './call.ts';
import { ERROR_STATUS, idTakenError, limitReachedError, notFoundError, staleVersionError } from './errors.ts';
import { visibleWith } from './field-visibility.ts';
import {
  Id,
  Instant,
  OutputId,
  optionalAmount,
  optionalText,
  RecordVersion,
  requiredAmount,
  requiredEmail,
  requiredName,
  requiredText,
} from './fields.ts';
import { idInput } from './lists.ts';

export const StaffRole = z.enum(ROLES, 'Please choose a role');

export const StaffColor = z.object({ id: OutputId, name: z.string(), hex_code: z.string() });
export type StaffColor = z.infer<typeof StaffColor>;

/** 'active' means that the member has a login. The others describe a member's invitation link: valid, expired or withdrawn. */
export const STAFF_STATUSES = ['active', 'invited', 'expired', 'uninvited'] as const;

/** 'delivered' means that the mail server accepted the email; 'not-sent' means that no mail server is configured. */
export const INVITATION_DELIVERIES = ['sending', 'delivered', 'failed', 'not-sent'] as const;
export type InvitationDelivery = (typeof INVITATION_DELIVERIES)[number];

export const StaffMember = z.object({
  id: OutputId,
  profile_id: OutputId.nullable(),
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  hourly_rate: z.string().nullable(),
  role: StaffRole,
  color: StaffColor.nullable(),
  avatar_url: z.string().nullable(),
  status: z.enum(STAFF_STATUSES),
  /** When the still-valid link was created. `invitation_expires_at` is when it expires. */
  invited_at: Instant.nullable(),
  invitation_expires_at: Instant.nullable(),
  /** Delivery status of the email with the still-valid link; null if no email was sent. */
  delivery: z.enum(INVITATION_DELIVERIES).nullable(),
  /** Why the email has not been delivered yet, in plain language. */
  delivery_problem: z.string().nullable(),
  /** The still-valid link that a company admin copied, in addition to or instead of the emailed link. */
  copied_link: z.object({ by: z.string(), created_at: Instant, expires_at: Instant }).nullable(),
  created_at: Instant,
  updated_at: Instant,
  version: RecordVersion,
});
export type StaffMember = z.infer<typeof StaffMember>;

const staffFields = {
  name: requiredName('Full name', 200),
  email: requiredEmail('Email address'),
  phone: requiredText('Phone number', 50),
  hourly_rate: requiredAmount('Hourly rate'),
  role: StaffRole,
};

export const InvitationInput = z.object(staffFields);
export type InvitationInput = z.infer<typeof InvitationInput>;

export const NewStaffMember = z.object({ id: Id, ...staffFields });
export type NewStaffMember = z.infer<typeof NewStaffMember>;

/** Phone and hourly rate are optional, because the owner signs up without them. */
export const StaffMemberInput = z.object({
  ...staffFields,
  phone: optionalText('Phone number', 50),
  hourly_rate: optionalAmount('Hourly rate'),
  color_id: Id.nullable(),
});
export type StaffMemberInput = z.infer<typeof StaffMemberInput>;

export const PHONE_REQUIRED_MESSAGE = 'Phone number is required';
export const HOURLY_RATE_REQUIRED_MESSAGE = 'Hourly rate is required';
const isNotNull = (value: string | null) => value !== null;

/** Builds a form schema in which a member's phone number and hourly rate, once set, can be changed but not cleared. */
export function buildStaffMemberSchema({ phone, hourly_rate }: Pick<StaffMember, 'phone' | 'hourly_rate'>): typeof StaffMemberInput {
  const { shape } = StaffMemberInput;
  return StaffMemberInput.extend({
    phone: phone === null ? shape.phone : shape.phone.refine(isNotNull, PHONE_REQUIRED_MESSAGE),
    hourly_rate: hourly_rate === null ? shape.hourly_rate : shape.hourly_rate.refine(isNotNull, HOURLY_RATE_REQUIRED_MESSAGE),
  });
}

export const UpdateStaffMemberInput = StaffMemberInput.extend({ id: Id, version: RecordVersion });
export type UpdateStaffMemberInput = z.infer<typeof UpdateStaffMemberInput>;

/** The details that people may see and change about themselves. */
export const MyDetails = StaffMember.pick({ id: true, name: true, phone: true, color: true, avatar_url: true, version: true });
export type MyDetails = z.infer<typeof MyDetails>;

export const MyDetailsInput = z.object({ name: requiredName('Name', 200), phone: optionalText('Phone', 50) });
export type MyDetailsInput = z.infer<typeof MyDetailsInput>;

export const UpdateMyDetailsInput = z.object({ version: RecordVersion, ...MyDetailsInput.shape });
export type UpdateMyDetailsInput = z.infer<typeof UpdateMyDetailsInput>;

/** An invitation as shown to anyone who opens its link. */
export const Invitation = z.object({
  company_id: OutputId,
  company_name: z.string().nullable(),
  name: z.string(),
  email: z.string(),
  role: StaffRole,
  /** True if joining deletes a company that this person started but never finished setting up. */
  replaces_company: z.boolean(),
  /** True if the email address has an unconfirmed login at another company. Joining moves that login to this company. */
  leaves_company: z.boolean(),
  /** True for an emailed link, which proves who owns the address, so joining takes over that account. A copied link requires sign-in. */
  takes_over_account: z.boolean(),
});
export type Invitation = z.infer<typeof Invitation>;

export const AcceptedInvitation = z.object({ token: LinkToken, password: Password });
export type AcceptedInvitation = z.infer<typeof AcceptedInvitation>;

export const MyInvitations = z.object({
  /** Whether this account's email address has a pending invitation. */
  open: z.boolean(),
  /** The companies that invited this person; empty unless the email address is confirmed. */
  companies: z.array(z.object({ company_id: OutputId, company_name: z.string().nullable() })),
});
export type MyInvitations = z.infer<typeof MyInvitations>;

export const staffMemberNotFoundError = notFoundError('Staff member not found');
export const lastAdminError = { LAST_ADMIN: { status: ERROR_STATUS.LAST_ADMIN, message: 'Cannot delete the last admin' } } as const;
/** The message never reveals which company has this email address. */
export const emailTakenError = {
  EMAIL_TAKEN: { status: ERROR_STATUS.EMAIL_TAKEN, message: 'This email address already belongs to a company.' },
} as const;
/** `member` is the colleague who has this email address. Without it, the address belongs to someone in another company. */
export const colleagueEmailError = {
  EMAIL_TAKEN: { ...emailTakenError.EMAIL_TAKEN, data: z.object({ member: StaffMember }).optional() },
} as const;
export const emailUnconfirmedError = {
  EMAIL_UNCONFIRMED: {
    status: ERROR_STATUS.EMAIL_UNCONFIRMED,
    message: 'Please confirm your email address before you invite people.',
  },
} as const;
export const invitationNotFoundError = notFoundError('Invitation not found');
/** The message suggests signing in, because a person who reopens a used link has most likely joined already. */
export const invitationExpiredError = {
  LINK_EXPIRED: {
    status: ERROR_STATUS.LINK_EXPIRED,
    message: 'This link has already been used or has expired. If you have already joined, sign in. Otherwise, ask for a new one.',
  },
} as const;
/** A copied link doesn't prove ownership of the email address, so it can't take over an existing account. */
export const emailHasAccountError = {
  EMAIL_TAKEN: {
    status: ERROR_STATUS.EMAIL_TAKEN,
    message: 'This email already has an account. Sign in to join, or ask for the invitation by email.',
  },
} as const;
export const MAX_STAFF_MEMBERS = 1000;
export const staffLimitError = limitReachedError('A company can have at most 1,000 staff members.');
const InvitationResult = z.object({ member: StaffMember, ...MailOutcome.shape });
/** `mail` is null if the update sent no email. */
const UpdateStaffMemberResult = z.object({ member: StaffMember, mail: MailOutcome.shape.mail.nullable() });

/** A staff member as colleagues see them when assigning work. */
export const AssignableStaffMember = z.object({
  id: OutputId,
  name: z.string(),
  hex_code: z.string().nullable(),
  avatar_url: z.string().nullable(),
  /** For the form of a job. To other roles, the job's page shows only the rate of the assigned person. */
  hourly_rate: visibleWith('jobs.edit', z.string().nullable()),
});
export type AssignableStaffMember = z.infer<typeof AssignableStaffMember>;

export const staff = {
  list: defineCall('staff.manage')
    .route({ method: 'GET', path: '/staff', summary: 'List all staff members by name', tags: ['staff'] })
    .output(z.object({ rows: z.array(StaffMember) })),

  names: defineCall('work.view')
    .route({ method: 'GET', path: '/staff-names', summary: 'List, by name, the people who can be assigned work', tags: ['staff'] })
    .output(z.object({ rows: z.array(AssignableStaffMember) })),

  colors: defineCall('staff.manage')
    .route({ method: 'GET', path: '/staff-colors', summary: 'List the colors for staff members', tags: ['staff'] })
    .output(z.object({ rows: z.array(StaffColor) })),

  get: defineCall('staff.manage')
    .route({ method: 'GET', path: '/staff/{id}', summary: 'Get a staff member', tags: ['staff'] })
    .input(idInput)
    .output(StaffMember)
    .errors(staffMemberNotFoundError),

  invite: defineCall('staff.add')
    .route({
      method: 'POST',
      path: '/staff',
      summary: 'Invite someone by email; replaces an expired or withdrawn invitation to the same address',
      tags: ['staff'],
      successStatus: 201,
    })
    .input(NewStaffMember)
    .output(InvitationResult)
    .errors({ ...colleagueEmailError, ...emailUnconfirmedError, ...idTakenError, ...staffLimitError }),

  resendInvitation: defineCall('staff.manage')
    .route({ method: 'POST', path: '/staff/{id}/invitation', summary: 'Email a new link; the old one stops working', tags: ['staff'] })
    .input(idInput.extend({ request_id: Id.optional().describe('Send the same id when retrying, so that no second email is sent') }))
    .output(InvitationResult)
    .errors({ ...staffMemberNotFoundError, ...emailTakenError, ...emailUnconfirmedError }),

  copyInvitationLink: defineSecretCall('staff.manage')
    .route({
      method: 'POST',
      path: '/staff/{id}/invitation-link',
      summary: 'Create a link to pass on by hand; replaces the previously copied link, but not an emailed one',
      tags: ['staff'],
    })
    .input(idInput)
    .output(z.object({ member: StaffMember, url: z.string() }))
    .errors({ ...staffMemberNotFoundError, ...emailTakenError, ...emailUnconfirmedError }),

  withdrawInvitation: defineCall('staff.manage')
    .route({ method: 'DELETE', path: '/staff/{id}/invitation', summary: 'Withdraw all links of an invitation', tags: ['staff'] })
    .input(idInput)
    .output(StaffMember)
    .errors(staffMemberNotFoundError),

  update: defineCall('staff.manage')
    .route({ method: 'PUT', path: '/staff/{id}', summary: 'Update a staff member, given its current version', tags: ['staff'] })
    .input(UpdateStaffMemberInput)
    .output(UpdateStaffMemberResult)
    .errors({
      ...staffMemberNotFoundError,
      ...lastAdminError,
      ...colleagueEmailError,
      ...emailUnconfirmedError,
      ...staleVersionError(StaffMember),
    }),

  removeAvatar: defineCall('staff.manage')
    .route({ method: 'DELETE', path: '/staff/{id}/avatar', summary: "Remove a staff member's picture", tags: ['staff'] })
    .input(idInput)
    .output(StaffMember)
    .errors(staffMemberNotFoundError),

  remove: defineCall('staff.manage')
    .route({
      method: 'DELETE',
      path: '/staff/{id}',
      summary: 'Delete a staff member and their login but keep their history',
      tags: ['staff'],
    })
    .input(idInput)
    .output(z.object({}))
    .errors({ ...staffMemberNotFoundError, ...lastAdminError }),

  myDetails: defineCall('work.view')
    .route({ method: 'GET', path: '/me/details', summary: 'Get my name, phone and picture', tags: ['staff'] })
    .output(MyDetails),

  updateMyDetails: defineCall('work.view')
    .route({ method: 'PUT', path: '/me/details', summary: 'Update my name and phone, given their current version', tags: ['staff'] })
    .input(UpdateMyDetailsInput)
    .output(MyDetails)
    .errors({ ...staffMemberNotFoundError, ...staleVersionError(MyDetails) }),

  removeMyAvatar: defineCall('work.view')
    .route({ method: 'DELETE', path: '/me/avatar', summary: 'Remove my picture', tags: ['staff'] })
    .output(MyDetails)
    .errors(staffMemberNotFoundError),

  leave: defineCall('work.view')
    .route({
      method: 'DELETE',
      path: '/me/membership',
      summary: 'Leave my company, which deletes my login but keeps my history',
      tags: ['staff'],
    })
    .output(z.object({}))
    .errors({ ...staffMemberNotFoundError, ...lastAdminError }),

  viewInvitation: defineCall('public')
    .route({ method: 'POST', path: '/invitations/view', summary: 'Get the invitation for a link', tags: ['staff'] })
    .input(z.object({ token: LinkToken }))
    .output(Invitation)
    .errors(invitationExpiredError),

  acceptInvitation: defineCall('public')
    .route({ method: 'POST', path: '/invitations/accept', summary: 'Join with a link: set a password and sign in', tags: ['staff'] })
    .input(AcceptedInvitation)
    .output(z.object({}))
    .errors({ ...invitationExpiredError, ...emailTakenError }),

  myInvitations: defineCall('signed-in')
    .route({ method: 'GET', path: '/me/invitations', summary: 'List the pending invitations to my email address', tags: ['staff'] })
    .output(MyInvitations),

  joinCompany: defineCall('signed-in')
    .route({
      method: 'POST',
      path: '/me/invitations/{company_id}/join',
      summary: 'Join a company that invited my confirmed email address; replaces a company I never finished setting up',
      tags: ['staff'],
    })
    .input(z.object({ company_id: Id }))
    .output(z.object({}))
    .errors({ ...invitationNotFoundError, ...emailTakenError }),
};
