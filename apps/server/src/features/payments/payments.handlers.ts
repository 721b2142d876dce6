import { listRecords } from '../../platform/db/keyset-list.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { paymentList, readPaymentSummary, withSearchedAmount } from './payment-list.sql.ts';
import { recordPayment, reversePayment } from './record-payment.ts';

export const paymentsHandlers = {
  record: calls.payments.record.handler(tenantMutation((scope, { input }) => recordPayment(scope, input))),
  reverse: calls.payments.reverse.handler(tenantMutation((scope, { input }) => reversePayment(scope, input))),
  list: calls.payments.list.handler(tenantQuery((scope, { input }) => listRecords(scope, paymentList, withSearchedAmount(input)))),
  summary: calls.payments.summary.handler(tenantQuery((scope, { input }) => readPaymentSummary(scope, input))),
};
