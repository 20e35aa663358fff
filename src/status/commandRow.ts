import { command } from '../core/commandRow.ts'

export const STATUS = command({
  line: 'status',
  summary: 'show what is imported and published, and how old',
  about: `Prints one line a session: what was imported, what is published, its last minute and the minutes
without prints. Then it says how old the data are, what is wrong, lists the last 90 days, and what
lies in the inbox.`,
  options: {
    json: 'the newest session, its datasets and the last 90 days, as /status.json has them',
  },
  work: 'src/status/statusCommand.ts',
})
