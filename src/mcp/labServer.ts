import { RESULT, RUN, THREAD } from './labResultTools.ts'
import { ACT, CHAT, STATE, VOCABULARY } from './labTools.ts'
import type { ToolServer } from './protocol.ts'

/** The tools over ideas and their tests. */
export const LAB_SERVER: ToolServer = {
  name: 'tapefold-lab',
  title: 'Tapefold LAB',
  instructions:
    'Trading ideas on SPX options in plain English, as exact rules, tested on every session. ' +
    'lab_chat makes a rule, lab_run tests it for a credit, lab_result says what was found. Times ' +
    'are ET, HH:MM. Results are estimates and no advice. Quote `summary`; go on with ' +
    '`next_cursor` until it is null.',
  tools: [VOCABULARY, STATE, CHAT, THREAD, RUN, RESULT, ACT],
}
