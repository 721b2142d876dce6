import { calls, tenantMutation } from '../../platform/http/calls.ts';
import { recordPayment, reversePayment } from './record-payment.ts';

export const paymentsHandlers = {
  record: calls.payments.record.handler(tenantMutation((scope, { input }) => recordPayment(scope, input))),
  reverse: calls.payments.reverse.handler(tenantMutation((scope, { input }) => reversePayment(scope, input))),
};
