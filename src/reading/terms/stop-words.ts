/** English words without a topic. A query of stop words alone finds nothing. */
export function isStopWord(term: string): boolean {
  return stopWords.has(term);
}

/** The same without words that say something in prose: when, how often, how much, who wants what (`after`, `only`, `all`, `need`). */
export function isStopWordInTalk(term: string): boolean {
  return stopWords.has(term) && !tellingInTalk.has(term);
}

const stopWords: ReadonlySet<string> = new Set(
  (
    'a about above after again against all also am an and any are aren as at be because been before being below ' +
    'between both but by can cannot could couldn did didn do does doesn doing don done down during each either ' +
    'else ever every few for from further get gets got had hadn has hasn have haven having he her here hers ' +
    'herself him himself his how however i if in into is isn it its itself just let lets ll made make makes may ' +
    'maybe me might more most much must my myself need needs no nor not now of off on once one only or other ' +
    'others our ours ourselves out over own per please rather re s same shall she should shouldn so some still ' +
    'such t than that the their theirs them themselves then there these they this those though through thus to ' +
    'too under until up upon us ve very via want wants was wasn we were weren what whatever when where whether ' +
    'which while who whom whose why will with within without won would wouldn yes yet you your yours yourself'
  ).split(' '),
);

const tellingInTalk: ReadonlySet<string> = new Set(
  (
    'about above after again against all also any before below between both cannot doing done down during each else ' +
    'ever every few further get gets got having here however made make makes maybe more most much must need needs now ' +
    'off once one only other others own per rather same some still such though through thus until want wants ' +
    'whatever without yes yet'
  ).split(' '),
);
