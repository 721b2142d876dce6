import { ROLES } from '@callout/domain/roles/roles';
import { z } from 'zod';
import { LinkToken, MailOutcome, Password } from './auth.ts';
import { call } from './call.ts';
import { errorStatus, idTaken, limitReached, notFound, staleVersion } from './errors.ts';
import {
  Id,
  Instant,
  OutputId,
  optionalAmount,
  optionalText,
  requiredAmount,
  requiredEmail,
  requiredName,
  requiredText,
  Version,
} from './fields.ts';
import { byId } from './lists.ts';

export const StaffRole = z.enum(ROLES, 'Please choose a role');

export const StaffColor = z.object({ id: OutputId, name: z.string(), hex_code: z.string() });
export type StaffColor = z.infer<typeof StaffColor>;

/** 'active' has a login; 'invited' has an open link; 'expired' has an expired one; 'uninvited' has none, because it was withdrawn. */
export const STAFF_STATUSES = ['active', 'invited', 'expired', 'uninvited'] as const;

/** 'delivered': the mail server took the mail. 'not-sent': no mail server is set up. */
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
  /** When the open link was made, and when it expires. */
  invited_at: Instant.nullable(),
  invitation_expires_at: Instant.nullable(),
  /** The delivery status of the mail with the open link; null when none was mailed. */
  delivery: z.enum(INVITATION_DELIVERIES).nullable(),
  /** Why it is not delivered yet, in plain words. */
  delivery_problem: z.string().nullable(),
  /** The open link that an admin copied, beside or instead of the mailed one. */
  copied_link: z.object({ by: z.string(), created_at: Instant, expires_at: Instant }).nullable(),
  created_at: Instant,
  updated_at: Instant,
  version: Version,
});
export type StaffMember = z.infer<typeof StaffMember>;

const staffFields = {
  name: requiredName('Full name', 200),
  email: requiredEmail('Email address'),
  phone: requiredText('Phone number', 50),
  hourly_rate: requiredAmount('Hourly rate'),
  role: StaffRole,
};

/** The form of an invitation, before its id is added. */
export const InvitationForm = z.object(staffFields);
export type InvitationForm = z.infer<typeof InvitationForm>;

export const NewStaffMember = z.object({ id: Id, ...staffFields });
export type NewStaffMember = z.infer<typeof NewStaffMember>;

/** The form of a member. Nobody asked the owner for a phone number and a rate. */
export const StaffMemberForm = z.object({
  ...staffFields,
  phone: optionalText('Phone number', 50),
  hourly_rate: optionalAmount('Hourly rate'),
  color_id: Id.nullable(),
});
export type StaffMemberForm = z.infer<typeof StaffMemberForm>;

export const PHONE_REQUIRED = 'Phone number is required';
export const RATE_REQUIRED = 'Hourly rate is required';
const isGiven = (value: string | null) => value !== null;

/** The form of this member: what was given once can be changed, not taken away. */
export function staffMemberForm({ phone, hourly_rate }: Pick<StaffMember, 'phone' | 'hourly_rate'>): typeof StaffMemberForm {
  const { shape } = StaffMemberForm;
  return StaffMemberForm.extend({
    phone: phone === null ? shape.phone : shape.phone.refine(isGiven, PHONE_REQUIRED),
    hourly_rate: hourly_rate === null ? shape.hourly_rate : shape.hourly_rate.refine(isGiven, RATE_REQUIRED),
  });
}

export const StaffMemberChange = StaffMemberForm.extend({ id: Id, version: Version });
export type StaffMemberChange = z.infer<typeof StaffMemberChange>;

/** What everybody may change about themselves. */
export const MyDetails = StaffMember.pick({ id: true, name: true, phone: true, color: true, avatar_url: true, version: true });
export type MyDetails = z.infer<typeof MyDetails>;

export const MyDetailsForm = z.object({ name: requiredName('Name', 200), phone: optionalText('Phone', 50) });
export type MyDetailsForm = z.infer<typeof MyDetailsForm>;

export const MyDetailsChange = z.object({ version: Version, ...MyDetailsForm.shape });
export type MyDetailsChange = z.infer<typeof MyDetailsChange>;

/** What an invitation shows to the person who holds its link. */
export const Invitation = z.object({
  company_name: z.string().nullable(),
  name: z.string(),
  email: z.string(),
  role: StaffRole,
  /** Accepting deletes the company that its holder started and never finished setting up. */
  replaces_company: z.boolean(),
  /** The email has an unconfirmed login at another company: joining moves the login here, and that company loses it. */
  leaves_company: z.boolean(),
  /** A mailed link proves the email, so joining takes over an account that has it. With a copied link they sign in to it instead. */
  takes_over_account: z.boolean(),
});
export type Invitation = z.infer<typeof Invitation>;

export const AcceptedInvitation = z.object({ token: LinkToken, password: Password });
export type AcceptedInvitation = z.infer<typeof AcceptedInvitation>;

export const MyInvitations = z.object({
  /** Whether this account's email has been invited. */
  open: z.boolean(),
  /** The inviting companies, only if the email is confirmed. */
  companies: z.array(z.object({ company_id: OutputId, company_name: z.string().nullable() })),
});
export type MyInvitations = z.infer<typeof MyInvitations>;

export const staffNotFound = notFound('Staff member not found');
export const lastAdmin = { LAST_ADMIN: { status: errorStatus.LAST_ADMIN, message: 'Cannot delete the last admin' } } as const;
/** Never reveals which company. */
export const emailTaken = {
  EMAIL_TAKEN: { status: errorStatus.EMAIL_TAKEN, message: 'This email address already belongs to a company.' },
} as const;
export const emailUnconfirmed = {
  EMAIL_UNCONFIRMED: {
    status: errorStatus.EMAIL_UNCONFIRMED,
    message: 'Please confirm your email address before you invite people.',
  },
} as const;
export const invitationNotFound = notFound('Invitation not found');
/** Whoever opens a used link again has most likely joined, and only the response was lost. */
export const invitationEnded = {
  LINK_EXPIRED: {
    status: errorStatus.LINK_EXPIRED,
    message: 'This link was used before or has expired. If you have joined already, sign in; else ask for a new one.',
  },
} as const;
/** The holder of a copied link has not shown that the email is theirs, so they can't take its account over. */
export const emailHasAccount = {
  EMAIL_TAKEN: {
    status: errorStatus.EMAIL_TAKEN,
    message: 'This email already has an account. Sign in to join, or ask for the invitation by email.',
  },
} as const;
export const MAX_STAFF = 1000;
export const staffLimit = limitReached('A company can have at most 1,000 staff members.');
const invited = z.object({ member: StaffMember, ...MailOutcome.shape });
/** `mail` is null when the change sent none. */
const changed = z.object({ member: StaffMember, mail: MailOutcome.shape.mail.nullable() });

/** What colleagues see of each other where work is assigned. */
export const StaffName = z.object({ id: OutputId, name: z.string(), hex_code: z.string().nullable(), avatar_url: z.string().nullable() });
export type StaffName = z.infer<typeof StaffName>;

export const staff = {
  list: call('staff.manage')
    .route({ method: 'GET', path: '/staff', summary: 'All staff members, by name', tags: ['staff'] })
    .output(z.object({ rows: z.array(StaffMember) })),

  names: call('work.view')
    .route({ method: 'GET', path: '/staff-names', summary: 'Who work can be assigned to, by name', tags: ['staff'] })
    .output(z.object({ rows: z.array(StaffName) })),

  colors: call('staff.manage')
    .route({ method: 'GET', path: '/staff-colors', summary: 'The colors of staff members', tags: ['staff'] })
    .output(z.object({ rows: z.array(StaffColor) })),

  get: call('staff.manage')
    .route({ method: 'GET', path: '/staff/{id}', summary: 'One staff member', tags: ['staff'] })
    .input(byId)
    .output(StaffMember)
    .errors(staffNotFound),

  invite: call('staff.add')
    .route({
      method: 'POST',
      path: '/staff',
      summary: 'Invite someone by mail; an earlier invitation to the same email is replaced if it expired or was withdrawn',
      tags: ['staff'],
      successStatus: 201,
    })
    .input(NewStaffMember)
    .output(invited)
    .errors({ ...emailTaken, ...emailUnconfirmed, ...idTaken, ...staffLimit }),

  resendInvitation: call('staff.manage')
    .route({ method: 'POST', path: '/staff/{id}/invitation', summary: 'Mail a new link; the old one stops working', tags: ['staff'] })
    .input(byId.extend({ request_id: Id.optional().describe('The same when the request is repeated, which then mails nothing') }))
    .output(invited)
    .errors({ ...staffNotFound, ...emailTaken, ...emailUnconfirmed }),

  copyInvitationLink: call('staff.manage')
    .route({
      method: 'POST',
      path: '/staff/{id}/invitation-link',
      summary: 'Make a link to send another way than by mail; replaces the one copied before, and a mailed one stays open',
      tags: ['staff'],
    })
    .input(byId)
    .output(z.object({ member: StaffMember, url: z.string() }))
    .errors({ ...staffNotFound, ...emailTaken, ...emailUnconfirmed }),

  withdrawInvitation: call('staff.manage')
    .route({ method: 'DELETE', path: '/staff/{id}/invitation', summary: 'Cancel every open link', tags: ['staff'] })
    .input(byId)
    .output(StaffMember)
    .errors(staffNotFound),

  update: call('staff.manage')
    .route({ method: 'PUT', path: '/staff/{id}', summary: 'Change a staff member from a version', tags: ['staff'] })
    .input(StaffMemberChange)
    .output(changed)
    .errors({ ...staffNotFound, ...lastAdmin, ...emailTaken, ...emailUnconfirmed, ...staleVersion(StaffMember) }),

  removeAvatar: call('staff.manage')
    .route({ method: 'DELETE', path: '/staff/{id}/avatar', summary: "Take a member's picture away", tags: ['staff'] })
    .input(byId)
    .output(StaffMember)
    .errors(staffNotFound),

  remove: call('staff.manage')
    .route({
      method: 'DELETE',
      path: '/staff/{id}',
      summary: 'Delete a staff member and their login; their history stays',
      tags: ['staff'],
    })
    .input(byId)
    .output(z.object({}))
    .errors({ ...staffNotFound, ...lastAdmin }),

  myDetails: call('work.view')
    .route({ method: 'GET', path: '/me/details', summary: 'My own name, phone and picture', tags: ['staff'] })
    .output(MyDetails),

  updateMyDetails: call('work.view')
    .route({ method: 'PUT', path: '/me/details', summary: 'Change my name and phone from a version', tags: ['staff'] })
    .input(MyDetailsChange)
    .output(MyDetails)
    .errors({ ...staffNotFound, ...staleVersion(MyDetails) }),

  removeMyAvatar: call('work.view')
    .route({ method: 'DELETE', path: '/me/avatar', summary: 'Take my picture away', tags: ['staff'] })
    .output(MyDetails)
    .errors(staffNotFound),

  leave: call('work.view')
    .route({
      method: 'DELETE',
      path: '/me/membership',
      summary: 'Leave my company; my login is deleted, my history stays',
      tags: ['staff'],
    })
    .output(z.object({}))
    .errors({ ...staffNotFound, ...lastAdmin }),

  viewInvitation: call('public')
    .route({ method: 'POST', path: '/invitations/view', summary: 'The invitation behind a link', tags: ['staff'] })
    .input(z.object({ token: LinkToken }))
    .output(Invitation)
    .errors(invitationEnded),

  acceptInvitation: call('public')
    .route({ method: 'POST', path: '/invitations/accept', summary: 'Join with a link: set a password and sign in', tags: ['staff'] })
    .input(AcceptedInvitation)
    .output(z.object({}))
    .errors({ ...invitationEnded, ...emailTaken }),

  myInvitations: call('signed-in')
    .route({ method: 'GET', path: '/me/invitations', summary: 'The open invitations to my email', tags: ['staff'] })
    .output(MyInvitations),

  joinCompany: call('signed-in')
    .route({
      method: 'POST',
      path: '/me/invitations/{company_id}/join',
      summary: 'Join a company that invited my confirmed email; replaces a company I never finished setting up',
      tags: ['staff'],
    })
    .input(z.object({ company_id: Id }))
    .output(z.object({}))
    .errors({ ...invitationNotFound, ...emailTaken }),
};
