import { calls, tenantMomentQuery } from '../../platform/http/calls.ts';
import { readBoard } from './board.sql.ts';

export const boardHandlers = {
  get: calls.board.get.handler(tenantMomentQuery(async (scope, { input }) => ({ columns: await readBoard(scope, input) }))),
};
