import { command, oneOf, or } from '../core/commandRow.ts'

export const LEVELS = command({
  line: 'levels DAY',
  summary: "print the levels of a session's minutes",
  about: `The levels of a session's minutes, as the levels API answers them: flip and its interval, walls and
net gamma of SPX. Where the dealers' positions are unknown, the reason says so.`,
  options: {
    'time HH:MM': 'this minute alone, 09:31 to 15:59 ET',
    'book BOOK': 'vol or oi; left out, the measured book',
    'format F': 'table, csv or json',
  },
  values: { format: or(oneOf(['table', 'csv', 'json'], 'it can be'), 'table') },
  work: 'src/levels/levelsCommand.ts',
})
