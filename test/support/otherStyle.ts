/** How a tape of a style behaves; what is not named here is the same in all. */
export type OtherStyle = {
  /** Prints of packages a second. */
  readonly legPrintsPerSecond: number
  /** Single orders for each package. */
  readonly singlesPerPackage: number
  /** Share of arrivals that another arrival has set off. */
  readonly excited: number
  /** Share of those that the tape gives the very stamp of what set them off. */
  readonly sameBlock: number
  readonly floorShare: number
  readonly partialShare: number
  /** Share of fills whose legs have more than one stamp. */
  readonly spreadShare: number
  /** Mean time between such legs, microseconds. */
  readonly legGapUs: number
  readonly longGapShare: number
  /** The longest time between legs of an electronic package, microseconds. */
  readonly longGapUs: number
  /** Share of packages whose net is off the grid of 0.05, boxes excluded. */
  readonly offGridShare: number
}

export const OTHER_STYLES = {
  calm: {
    legPrintsPerSecond: 22,
    singlesPerPackage: 2,
    excited: 0.35,
    sameBlock: 0.02,
    floorShare: 0.02,
    partialShare: 0.25,
    spreadShare: 0.12,
    legGapUs: 40,
    longGapShare: 0.01,
    longGapUs: 1_500,
    offGridShare: 0.02,
  },
  busy: {
    legPrintsPerSecond: 90,
    singlesPerPackage: 1.5,
    excited: 0.55,
    sameBlock: 0.04,
    floorShare: 0.015,
    partialShare: 0.35,
    spreadShare: 0.15,
    legGapUs: 100,
    longGapShare: 0.02,
    longGapUs: 2_500,
    offGridShare: 0.03,
  },
  noisy: {
    legPrintsPerSecond: 58,
    singlesPerPackage: 1.5,
    excited: 0.5,
    sameBlock: 0.04,
    floorShare: 0.04,
    partialShare: 0.4,
    spreadShare: 0.35,
    legGapUs: 250,
    longGapShare: 0.12,
    longGapUs: 6_000,
    offGridShare: 0.05,
  },
} as const satisfies Record<string, OtherStyle>

export type StyleName = keyof typeof OTHER_STYLES
