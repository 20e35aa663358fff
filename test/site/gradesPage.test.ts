// The page of grades: what it says of levels that held more often, as often or less often.

import { describe, expect, test } from 'vitest'
import { gradeSessions } from '../../src/archive/grades.ts'
import type { PublishedManifest } from '../../src/data/published/manifest.ts'
import { gradesPage } from '../../src/site/gradesRoutes.ts'

type Counts = readonly [touched: number, held: number]

/** Sessions with call walls and strikes by chance, each touched and held so often. */
const listSessions = (walls: readonly Counts[], chance: readonly Counts[], simulated = false) =>
  walls.map(
    (wall, index) =>
      ({
        session_date: `2026-10-${String(index + 1).padStart(2, '0')}`,
        revision: String(index),
        simulated,
        grades: {
          levels: [toRow('level', wall), toRow('random', chance[index]!)],
          regimes: [],
          reason: null,
        },
      }) as unknown as PublishedManifest,
  )

const toRow = (role: string, [touched, held]: Counts) => ({
  book: 'measured',
  kind: 'call_wall',
  role,
  judged: touched,
  touched,
  held,
})

const repeat = (counts: readonly Counts[], times: number) =>
  Array.from({ length: times }, (_, index) => counts[index % counts.length]!)

describe('what the page says of call walls', () => {
  test.each([
    [
      'held more often',
      repeat(
        [
          [4, 4],
          [4, 3],
        ],
        20,
      ),
      repeat(
        [
          [4, 1],
          [4, 2],
        ],
        20,
      ),
    ],
    [
      'held less often',
      repeat(
        [
          [4, 1],
          [4, 2],
        ],
        20,
      ),
      repeat(
        [
          [4, 4],
          [4, 3],
        ],
        20,
      ),
    ],
    [
      'held as often',
      repeat(
        [
          [4, 1],
          [4, 3],
        ],
        20,
      ),
      repeat(
        [
          [4, 3],
          [4, 1],
        ],
        20,
      ),
    ],
    ['too few were touched', repeat([[4, 1]], 1), repeat([[4, 3]], 1)],
    ['too few were touched', repeat([[0, 0]], 20), repeat([[4, 3]], 20)],
  ] as const)('%s', (words, walls, chance) => {
    expect(gradesPage(gradeSessions(listSessions(walls, chance)), 1)).toContain(words)
  })
})

test('a share has the error of sessions, not of touches', () => {
  // every touch of a session goes as the others of it: four sessions, not forty touches
  const walls = repeat(
    [
      [10, 10],
      [10, 0],
    ],
    4,
  )
  const [group] = gradeSessions(listSessions(walls, walls)).groups
  const [level] = group!.levels
  expect(level).toMatchObject({ judged: 40, touched: 40, held: 20, held_share: 0.5 })
  // of four observations 1, 0, 1, 0: a standard deviation of 0.577, over the root of four
  expect(level!.held_error).toBeCloseTo(Math.sqrt(1 / 3) / 2, 12)
})

test('real sessions and simulated ones are never added up', () => {
  const counts = repeat([[4, 1]], 3)
  const real = listSessions(counts, counts)
  const simulated = listSessions(counts, counts, true).map(manifest => ({
    ...manifest,
    session_date: manifest.session_date.replace('-10-', '-09-'),
  }))
  const { groups, sessions } = gradeSessions([...simulated, ...real])
  expect(groups.map(group => [group.simulated, group.sessions])).toEqual([
    [false, 3],
    [true, 3],
  ])
  expect(sessions).toHaveLength(6)
})

test('a session of older code says that it is not graded', () => {
  const [manifest] = listSessions([[4, 1]], [[4, 1]])
  const { grades: _, ...older } = manifest!
  const page = gradesPage(gradeSessions([older as PublishedManifest]), 1)
  expect(page).toContain('not graded')
  expect(page).toContain('No session is graded yet')
})
