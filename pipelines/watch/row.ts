import { command } from '../../src/core/commandRow.ts'

export const WATCH = command({
  line: 'watch',
  summary: 'find and send alerts alone, as minutes are published',
  about: `Finds the alerts of all accounts in each minute as it is published, and sends them, until it is
stopped. "serve" keeps one running; any number may run: each minute is taken once. With TAPEFOLD_STORE
set, it pulls each minute and session into its folder, as "serve" does.`,
  options: {
    once: 'takes the minutes that its folder has by now, sends what is due, and ends',
    'clock WHEN': `tells a past session as if it ran, as serve does: DAY[THH:MM][xSPEED]. Its
      events are listed and not sent`,
    deliver: 'sends the events of a replay, too',
    'no-follow': 'reads its folder alone: another process pulls from the store, or none',
    'began MS': 'when the clock of the replay began to run, in system milliseconds: it is shared',
    'run ID': 'the name of the replay, to go on with one: replay_ and 12 letters or digits',
    json: 'writes lines of JSON, for a log',
  },
  work: 'pipelines/watch/watch.ts',
})
