// Progress as it stands on a terminal, and in a file: time is that of the test.

import { expect, test } from 'vitest'
import { formatMeter, progressOn } from '../../../pipelines/command/progress.ts'

/** A terminal that keeps what a person sees, line by line. */
function openTerminal(columns = 100) {
  let text = ''
  const lines = ['']
  let row = 0
  let column = 0
  const put = (sign: string) => {
    const line = lines[row]!
    lines[row] = line.slice(0, column).padEnd(column) + sign + line.slice(column + 1)
    column++
  }
  const begin = (next: number) => {
    row = next
    column = 0
    lines[row] ??= ''
  }
  const control = (letter: string, count: number) => {
    if (letter === 'A') row -= count
    if (letter === 'B') row += count
    if (letter === 'G') column = 0
    if (letter === 'K') lines[row] = count === 2 ? '' : lines[row]!.slice(0, column)
  }
  const write = (piece: string) => {
    text += piece
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those of a terminal
    for (const [sign, digits, letter] of piece.matchAll(/\x1b\[\??(\d*)([A-Za-z])|[\s\S]/g)) {
      if (letter !== undefined) control(letter, Number(digits || 1))
      else if (sign === '\r') column = 0
      else if (sign === '\n') begin(row + 1)
      else put(sign)
    }
    return true
  }
  return { isTTY: true, columns, write, text: () => text, lines: () => lines.filter(Boolean) }
}

function openPipe() {
  let text = ''
  return {
    write: (piece: string) => {
      text += piece
      return true
    },
    text: () => text,
  }
}

/** A clock that a test moves. */
function openClock() {
  let now = 0
  const pass = (seconds: number) => {
    now += seconds * 1000
  }
  return { nowMs: () => now, pass }
}

const FILE = { what: 'fetch databento', unit: 'bytes', total: 200_000_000, isAbout: true }

test('a terminal shows a bar below the lines, with share, rate and time left; it ends', async () => {
  const terminal = openTerminal()
  const clock = openClock()
  const progress = progressOn(terminal, clock, 'xterm')
  await progress.meter(FILE, async ({ update }) => {
    expect(terminal.lines()).toEqual([
      `fetch databento  [${'-'.repeat(20)}]  0 %  0 bytes of about 200 MB`,
    ])
    clock.pass(10)
    update({ done: 50_000_000, note: '3 of 14 files' })
    expect(terminal.lines()).toEqual([
      'fetch databento  [####-------------]  25 %  about 30 s left  50.0 MB of about 200 MB  ' +
        '3 of 14 files',
    ])
    progress.say('2026-11-23  14 files')
    expect(terminal.lines()).toEqual([
      '2026-11-23  14 files',
      expect.stringContaining('fetch databento  [####-----'),
    ])
  })
  expect(terminal.lines()).toEqual(['2026-11-23  14 files'])
  // nothing has to be restored: neither colours nor a hidden cursor
  expect(terminal.text()).not.toMatch(/\[\?25l|\[\d*m/)
})

test('a bar is drawn ten times a second at most', async () => {
  const terminal = openTerminal()
  const clock = openClock()
  await progressOn(terminal, clock, 'xterm').meter(FILE, async ({ update }) => {
    for (let done = 1; done <= 1000; done++) {
      clock.pass(0.001)
      update({ done })
    }
  })
  expect(terminal.text().split('fetch databento').length - 1).toBe(11)
})

test('steps of a work with a bar show in it, then as lines above', async () => {
  const terminal = openTerminal()
  const clock = openClock()
  const progress = progressOn(terminal, clock, 'xterm')
  const models = { what: 'build 2026-10-15', unit: 'models', total: 200 }
  await progress.meter(models, async ({ update }) => {
    clock.pass(1)
    await progress.step('find the levels', async () => {
      clock.pass(2)
      update({ done: 50 })
      expect(terminal.lines()).toEqual([
        'build 2026-10-15  [#####---------------]  25 %  about 9 s left  50 of 200 models  ' +
          'find the levels',
      ])
    })
  })
  expect(terminal.lines()).toEqual([`  ${'find the levels'.padEnd(44)}    2.0 s`])
})

test('a bar inside a step begins below it', async () => {
  const terminal = openTerminal()
  const progress = progressOn(terminal, openClock(), 'xterm')
  await progress.step('simulate', () =>
    progress.meter({ what: 'history', unit: 'sessions', total: 2 }, async () => {
      expect(terminal.lines()[0]).toBe('  simulate ...')
      expect(terminal.lines()[1]).toContain('0 of 2 sessions')
    }),
  )
  expect(terminal.lines().at(-1)).toContain('0.0 s')
})

test('a file gets a line a minute at most, without a bar; so does a dumb terminal', async () => {
  for (const isTTY of [false, true]) {
    const pipe = openPipe()
    const clock = openClock()
    const progress = progressOn({ ...pipe, isTTY }, clock, isTTY ? 'dumb' : 'xterm')
    await progress.meter({ ...FILE, total: 240_000_000 }, async ({ update }) => {
      for (let second = 1; second <= 130; second++) {
        clock.pass(1)
        update({ done: second * 1_000_000 })
      }
    })
    expect(pipe.text()).toBe(
      '  fetch databento: 25 %, about 3 min 0 s left, 60.0 MB of about 240 MB, 1.0 MB/s\n' +
        '  fetch databento: 50 %, about 2 min 0 s left, 120 MB of about 240 MB, 1.0 MB/s\n',
    )
  }
})

test('other lines count: work that prints each minute gets none of them', async () => {
  const pipe = openPipe()
  const clock = openClock()
  const progress = progressOn(pipe, clock, 'xterm')
  await progress.meter({ what: 'backfill', unit: 'sessions', total: 3 }, async ({ update }) => {
    for (let done = 1; done <= 3; done++) {
      clock.pass(90)
      progress.say(`${done} of 3`)
      update({ done })
    }
  })
  expect(pipe.text()).toBe('1 of 3\n2 of 3\n3 of 3\n')
})

test('a work that fails leaves no bar, and its error', async () => {
  const terminal = openTerminal()
  const failing = progressOn(terminal, openClock(), 'xterm').meter(FILE, async () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(terminal.lines()).toEqual([])
})

test('a narrow terminal leaves out the rate, the files, the size, then the bar', () => {
  const state = { ...FILE, done: 50_000_000, note: '3 of 14 files' }
  const bar = (width: number) => '#'.repeat(Math.floor(width / 4)).padEnd(width, '-')
  const start = (width: number) => `fetch databento  [${bar(width)}]  25 %  about 30 s left`
  expect([160, 100, 90, 60, 45, 30, 12].map(width => formatMeter(state, 10_000, width))).toEqual([
    `${start(20)}  50.0 MB of about 200 MB  3 of 14 files  5.0 MB/s`,
    `${start(18)}  50.0 MB of about 200 MB  3 of 14 files`,
    `${start(20)}  50.0 MB of about 200 MB`,
    start(18),
    'fetch databento  25 %  about 30 s left',
    'fetch databento  25 %',
    '25 %',
  ])
})

test('an estimate is never all done before the end, nor more than all', () => {
  const state = { ...FILE, done: 300_000_000 }
  expect(formatMeter(state, 1000, 79)).toContain('99 %')
  expect(formatMeter({ ...state, isAbout: false }, 1000, 79)).toContain('100 %')
})

test('parts of unequal times get a time left from a quarter on', () => {
  const state = { what: 'build', unit: 'models', total: 100, isUneven: true }
  expect(formatMeter({ ...state, done: 20 }, 10_000, 79)).not.toContain('left')
  expect(formatMeter({ ...state, done: 50 }, 10_000, 79)).toContain('about 10 s left')
})
