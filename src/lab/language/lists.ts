import { formatMinute } from '../../core/market/calendar.ts'
import { choiceKind, type PhraseLists, type SlotKind } from './grammar.ts'
import type { CompareOp, LevelRef, RuleAction, Weekday } from './spec.ts'

/** Synonyms, by the name that phrases use. */
const SYNONYMS = {
  pt: 'points|point|pts|pt|handles|handle',
  price: `
    [the] [current] (price|spot|spx|spot price|index|market|underlying|s and p|tape) [price|index]
  `,
  who: '@price|it|its|it is|we|we are|were|weve|we have|it has|we were',
  about: 'about|around|roughly|approximately|nearest|closest to|nearest to|near|circa|ca',
  is: `
    to be|(is|are|was) (sitting|standing|hovering|holding|currently|stuck|caught|trapped)|sitting|stuck|
    caught|trapped|
    is|are|was|stays|trades|sits|remains|trading|being|holds|its|be|stay|has been|is trading|
    were|gets|goes|still|must be|has to be|should be|needs to be|is trading|has been
  `,
  exit: `
    exit|exits|gone|close|closing|get out [again]|out|be out|getting out [again]|cover|flatten|buy it back|buy back|
    close it|close out|exit it|exiting|close it out|take it off|sell it back|get me out|unwind|
    leave|manage|managed|take off|closed|exited|covered|bought back|buying back|get it off|dump|dump it|buy to close|btc|sell to close|stc
  `,
  it: 'it|them|the (trade|position|spread|condor|straddle|strangle|butterfly|fly)|everything|all',
  after: 'after|on|following|upon|once|when',
  when: `
    if|when|while|whenever|as long as|provided|given|where|so long as|assuming|in case|as soon as|
    the moment
  `,
  order: 'order|orders|print|prints|block|blocks',
  below_above: 'below|under|above|over',
  sides: `
    (on each side|either side|on both sides|on either side|both sides|each side|both ways|
    each way) [of @price]
  `,
  em: `
    expected moves|expected move|ems|em|implied moves|implied move|remaining expected move|
    remaining expected moves
  `,
  entry: `
    enter|entry|entered|[it] goes on|open it|trade|trade it|start|entering|put it on|get in|enters|entries|open|
    opened
  `,
  part: `
    stop|stop loss|sl|target|profit target|tp|take profit|call|put|strike|short|wings|condor|
    strangle|
    straddle|width|entry|exit
  `,
  opened: 'iron|ic|put|call|bull|bear|strangle|straddle|atm|credit|debit|pcs|ccs|bps|bcs|#\\d+#',
  minutes: 'minutes|minute|mins|min|m',
  money: 'k|thousand|m|mm|mn|mln|mio|million|millions|mil|b|bn|billion|billions',
  by: 'by|of|at|to|is|near|around|=',
  gamma: `
      [the] [net|dealer|dealers|total|market|overall|spx|net dealer] gamma [exposure|regime|
      environment]|[the|net] gex|dealers|the book|[the] gamma of the book
    `,
  fell: `
    fell|dropped|declined|sold off|slid|sunk|lost|has fallen|has dropped|is down|falls|drops|
  down|has lost|has sold off|was down|sells off|is lower|lower|off|fallen|dropped by
  `,
  rose: `
    rose|gained|rallied|climbed|advanced|has risen|has gained|is up|rises|gains|rallies|up|has
  rallied|was up|climbs|is higher|higher|risen|jumped
  `,
  gap: '[the|a] [overnight|opening|morning] gap [day|days]',
  iv: '[the] [atm|implied|at the money] (iv|vol|volatility|ivol)|[the] (iv|ivol|vol)',
  credit: `
    [the|a|my|our|initial|entry|total] [initial|entry|received|premium] (credit|premium) [received|
    collected|taken in|taken|(i|we|you) (got|get|received|collected|took in)]|what (i|we)
    (got [paid]|was paid|received|collected|took in)
  `,
  debit: `[the|a|my|our] [initial] (debit [paid]|cost|premium paid|price paid|amount paid)|
    what (i|we) (paid|put in|spent)`,
  trade_word: 'trade|trades|trading|entry|entries|position|positions',
  since_open: `
    (from|since|off|versus|vs|against|relative to) [the|todays] (open|opening|opening price)
  `,
  filter: 'condition|conditions|filter|filters|rule|requirement|requirements|check|part|clause',
  cut: `
    drop|remove|delete|forget|forget about|cancel|take out|take off|scrap|get rid of|ditch|lose|
    without|no|no more|ignore|disregard|leave out|skip
  `,
} as const satisfies Record<string, string>

const NUMBER = '-?\\d+(?:\\.\\d+)?'
const MONEY_UNITS = SYNONYMS.money
const lists: PhraseLists = { synonyms: SYNONYMS, kinds: {} }

const toNumber = (text: string): number => Number(/-?\d+(?:\.\d+)?/.exec(text)![0])
const rounded = (value: number): number => Number(value.toPrecision(12)) + 0

const MILLIONS: Readonly<Record<string, number>> = { k: 0.001, thousand: 0.001, b: 1e3, bn: 1e3 }

/** Parses an amount, in millions of dollars. */
function readMoney(text: string): number {
  const unit = /(\S+) $/.exec(text)![1]!
  if (/^\d+$/.test(unit)) return rounded(Number(unit) / 1e6)
  const factor = unit.startsWith('billion') ? 1_000 : (MILLIONS[unit] ?? 1)
  return rounded(toNumber(text) * factor * (/^(?:minus|negative) /.test(text) ? -1 : 1))
}

/** Parses a percentage; basis points are hundredths of one. */
const readPct = (text: string): number =>
  rounded(/(bps|bp|basis) /.test(text) ? toNumber(text) / 100 : toNumber(text))

const HOUR = '(?:[01]\\d|2[0-3]):[0-5]\\d'
/** Stands for a word of no known meaning behind a number. */
export const UNKNOWN = '¿'
/** Words after which a number is a count, not an hour. */
const NO_HOUR = `
    @pt|wide|delta|deltas|d|%|percent|pct|x !(#\\d#)|times|expected|em|ems|@minutes|hours|hour|
    dte|days|
    order|orders|print|prints|hr|hrs|h|w|crosses|crossings|trades|
    day|lots|lot|contracts|contract|below|above|under|over|out|away|k|mm|million|bps|bp|vol|
    vols|sigma|:|/|otm|itm|basis|strikes|strike|dollars|handles|wings|cars|${UNKNOWN}
  `

function readHour(text: string): string | undefined {
  const clock = new RegExp(HOUR).exec(text)
  if (clock) return clock[0]
  const digits = text.trim()
  const whole = /^(\d{1,2})$/.exec(digits)
  const run = /^(\d{1,2})(\d{2})$/.exec(digits)
  const [hour, minute] = run ? [Number(run[1]), Number(run[2])] : [Number(whole?.[1]), 0]
  if (!(hour >= 0 && hour <= 23 && minute <= 59)) return undefined
  const afternoon = hour >= 1 && hour <= 6 && !digits.startsWith('0') ? hour + 12 : hour
  return formatMinute(afternoon * 60 + minute)
}

export const SIDES: Readonly<Record<'below' | 'above', string>> = {
  below: 'below|under|beneath|underneath|lower than|less than|down from|south of',
  above: 'above|over|higher than|greater than|more than|up from|north of|on top of',
}

export const LEVEL_WORDS: Readonly<Record<LevelRef, string>> = {
  put_wall: '[the] put (wall|support)',
  call_wall: '[the] call (wall|resistance)',
  flip: `
    [the] ([zero|0] gamma flip|zero gamma|0 gamma|flip|gamma flip|zero gamma level|0 gamma level|
    hvl) [level|point|line|price]
  `,
}

export const ACTION_WORDS: Readonly<Record<RuleAction, string>> = {
  sell: `
    sell premium|selling premium|premium selling|sell|short|write|sold|selling|sells|go short|
    shorting|sell to open|selling to open|be short|get short|writing|sto
  `,
  buy: `
    buy|long|purchase|bought|buying|buys|go long|buy to open|be long|get long|purchasing|bto
  `,
}

/** Comparisons in words, except those of distances. */
const COMPARISON_WORDS: Readonly<Record<CompareOp, string>> = {
  '<=': `
    at most|(no|not) (more|bigger|larger|greater) than|up to|lte|less than or equal to|not over|not above|
    no higher than
  `,
  '>=': `
    at least|(no|not) (less|smaller) than|gte|a minimum of|greater than or equal to|not under|
    not below|minimum
  `,
  '<': 'less than|under|below|smaller than|lower than|lt|fewer than|beneath',
  '>': `
    more than|over|above|greater than|bigger than|larger than|higher than|gt|exceeds|
    exceeding|exceeded|beyond|upwards of|in excess of
  `,
  'abs<': 'strictly within',
  'abs<=': 'within',
  'abs>': 'strictly further than|strictly farther than|not within|outside',
  'abs>=': 'further than|farther than',
}

const DAY_NAMES: Readonly<Record<Weekday, string>> = {
  mon: 'mon|monday|mondays|mons',
  tue: 'tue|tues|tuesday|tuesdays',
  wed: 'wed|weds|wednesday|wednesdays',
  thu: 'thu|thur|thurs|thursday|thursdays',
  fri: 'fri|friday|fridays|fris',
}
const DAY_ORDER = Object.keys(DAY_NAMES) as readonly Weekday[]
const DAY_WORDS = Object.values(DAY_NAMES).join('|')

/** Parses the days of "mondays and wednesdays", "mon/wed", "tuesday to thursday". */
function readDays(text: string): Weekday[] | undefined {
  const days: Weekday[] = []
  let isRange = false
  for (const word of text.trim().split(' ')) {
    const day = DAY_ORDER.find(one => DAY_NAMES[one].split('|').includes(word))
    if (!day) {
      isRange ||= ['to', 'through', 'thru', 'until', '–'].includes(word)
      continue
    }
    const [first, last] = [DAY_ORDER.indexOf(days.at(-1) ?? day), DAY_ORDER.indexOf(day)]
    if (isRange) {
      if (first >= last) return undefined
      days.push(...DAY_ORDER.slice(first + 1, last))
    }
    days.push(day)
    isRange = false
  }
  return DAY_ORDER.filter(day => days.includes(day))
}

/** Letters of each day. */
const LETTERS: Readonly<Record<Weekday, readonly string[]>> = {
  mon: ['m', 'mo', 'mon'],
  tue: ['t', 'tu', 'tue', 'tues'],
  wed: ['w', 'we', 'wed'],
  thu: ['th', 'r', 'thu', 'thurs'],
  fri: ['f', 'fr', 'fri'],
}
const DAY_LETTERS = `(${Object.values(LETTERS).flat().join('|')})`
/** Days by their letters in one word. */
const LETTERED = [
  'mwf',
  'mtw',
  'mtwth',
  'mtwr',
  'tth',
  'tuth',
  'twth',
  'twthf',
  'wf',
  'thf',
  'mw',
  'wthf',
]

function readLetters(text: string): Weekday[] | undefined {
  const found: Weekday[] = []
  for (const [part] of text.matchAll(/thurs|thu|th|tues|tue|tu|mon|mo|wed|we|fri|fr|[mtwrf]/g)) {
    const day = DAY_ORDER.find(one => LETTERS[one].includes(part))!
    if (DAY_ORDER.indexOf(day) <= DAY_ORDER.indexOf(found.at(-1) ?? 'mon') && found.length > 0)
      return undefined
    found.push(day)
  }
  // "m/f" may be two days, or all from the one to the other
  return String(found) === 'mon,fri' ? undefined : found
}

const GAMMA_EFFECTS = {
  adds: '[that|which] (adds|adding|added|add|puts on|brings in) (gamma|to gamma)',
  removes: `
    [that|which] (takes|took|taking|pulls|pulled|pulling) gamma (out|off|away)|[that|which]
    (removes|removing|removed|remove|takes away|takes|takes out|takes off|took|took out|cuts|
    cutting|reduces|reducing|reduced|drains|draining|pulls|pulled) gamma
  `,
}

const KINDS: Record<string, SlotKind> = {
  num: { phrase: `#${NUMBER}#`, read: toNumber },
  int: { phrase: '#\\d+#', read: toNumber },
  neg: { phrase: '#-\\d+(?:\\.\\d+)?#', read: toNumber },
  money: {
    phrase: `[minus|negative|plus] [$] #${NUMBER}# (${MONEY_UNITS}) [dollars|dollar|usd|$]|
      [$] #\\d{6,}# [dollars|usd]`,
    read: text => readMoney(text.replace(/(dollars?|usd|\$) $/, '')),
  },
  pct: {
    phrase: `[plus] #${NUMBER}# (%|percent|pct|per cent|percents|bps|bp|basis points|basis point)`,
    read: readPct,
  },
  hour: {
    // before a word of no known meaning only the usual hours of an entry
    phrase: `(#${HOUR}#|#\\d{1,2}|(?:0?9|1[0-6])[0-5]\\d|[1-3][0-5]\\d# !(${NO_HOUR})|
      #9|1[0-2]# !(!(${UNKNOWN})))`,
    read: readHour,
  },
  clock: { phrase: `#${HOUR}#`, read: readHour },
  minutes: { phrase: `#\\d+# (${SYNONYMS.minutes})`, read: toNumber },
  hours: {
    phrase: `(#${NUMBER}#|an|a) (hour|hours|hr|hrs|h)`,
    read: text => rounded((/\d/.test(text) ? toNumber(text) : 1) * 60),
  },
  lone_hour: { phrase: 'hour', read: () => 60 },
  days: {
    phrase: `
      (${DAY_WORDS}) [([,] (and|or|to|through|thru|until)|,|/|–) [on|the|a] (${DAY_WORDS})] [([,]
      (and|or)|,|/) [on|the|a] (${DAY_WORDS})] [([,] (and|or)|,|/) [on|the|a] (${DAY_WORDS})]
      [([,] (and|or)|,|/) [on|the|a] (${DAY_WORDS})]
    `,
    read: readDays,
  },
  // "m/w/f", "mwf": "m f" alone may be all of the week
  letters: {
    phrase: `${DAY_LETTERS} / ${DAY_LETTERS} [/ ${DAY_LETTERS}] [/ ${DAY_LETTERS}]|m w f|${LETTERED.join('|')}`,
    read: readLetters,
  },
  ordinal: {
    phrase: 'first|second|third|fourth|fifth|#\\d+# (st|nd|rd|th)',
    read: text => {
      const digit = /\d+/.exec(text)?.[0]
      return digit ? Number(digit) : ORDINALS.indexOf(text.trim()) + 1
    },
  },
  dir: choiceKind(SIDES, lists),
  level: choiceKind(LEVEL_WORDS, lists),
  action: choiceKind(ACTION_WORDS, lists),
  cmp: choiceKind(COMPARISON_WORDS, lists),
  effect: choiceKind(GAMMA_EFFECTS, lists),
  side: choiceKind({ put: 'put|puts', call: 'call|calls' }, lists),
  sign: choiceKind({ positive: 'positive|long', negative: 'negative|short' }, lists),
  moved: choiceKind({ above: '@rose', below: '@fell' }, lists),
  trend: choiceKind(
    { above: '@rose|green|in the green|positive', below: '@fell|red|in the red|negative' },
    lists,
  ),
  turned: choiceKind(
    {
      above: 'up|rose|risen|higher|increased|gained|climbed|rising',
      below: 'down|fell|fallen|lower|dropped|decreased|lost|falling',
    },
    lists,
  ),
  signed: choiceKind(
    {
      positive: 'positive|(above|over) (zero|0)|gt 0',
      negative: 'negative|(below|under) (zero|0)|lt 0',
    },
    lists,
  ),
  breadth: choiceKind({ more: 'wider', less: 'narrower|tighter|thinner' }, lists),
  reach: choiceKind({ more: 'further|farther', less: 'closer|nearer' }, lists),
  time_way: choiceKind({ more: 'later', less: 'earlier|sooner' }, lists),
  offset: {
    phrase: `#-\\d+(?:\\.\\d+)?#|(minus|plus) #${NUMBER}#`,
    read: text => toNumber(text) * (text.startsWith('minus') ? -1 : 1),
  },
  up: { phrase: '@rose', read: () => true },
  spot: { phrase: '[from] @price', read: () => true },
  fell: { phrase: '@fell', read: () => true },
  no: { phrase: 'no', read: () => true },
  outside: { phrase: 'not within|outside', read: () => true },
  bound: choiceKind(
    {
      less: 'less than|under|below|smaller than',
      most: 'at most|no more than|not more than|up to',
    },
    lists,
  ),
  least: {
    phrase: `
      at least|no less than|not less than|gte|a minimum of|more than|over|above|greater than|bigger
      than|larger than|higher than|gt|exceeds|exceeding|exceeded|beyond|upwards of|in excess of|
      worth
    `,
    read: text => text,
  },
  small: { phrase: 'low|weak|small|tiny', read: () => true },
  sym: choiceKind({ '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' }, lists),
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']

export const LISTS: PhraseLists = { synonyms: SYNONYMS, kinds: KINDS }
