// Words that say nothing about a skill: the small words of English, and the phrases in which people ask for things.

/** Found only when the query has nothing else. */
export const STOP_WORDS: ReadonlySet<string> = words(`
  a about above after again against all also am an and any are arent as at be because been before being below between
  both but by can cannot cant could couldnt did didnt do does doesnt doing dont down during each either else etc ever
  every few for from further get gets getting go goes going got had has hasnt have havent having he her here hers him
  his how however i id if ill im in into is isnt it its itself ive just let lets like lot made make makes many may maybe
  me might more most much must my myself neither no nor not now of off on once one only onto or other others our ours
  out over own per quite rather really same she should shouldnt since so some still such than that thats the their them
  then there theres these they theyre thing things this those though through thus to too under until up upon us very via
  was wasnt way we well were werent weve what whats when where whether which while who whom whose why will with within
  without wont would wouldnt yes yet you youd youll your youre yours yourself
`);

/** The request's wrapping. It counts a little, because "help desk" and "meeting request" are skills as well. */
export const REQUEST_WORDS: ReadonlySet<string> = words(`
  able afternoon again already always anything appreciate around ask asked asking asks bad basically best better bit
  come currently done ease easy else everyone everything exactly far find fine first folks give given good great guy
  guys happen happened happens happy hello help helpful helping here hey hi hope instead keep kind kindly know last
  later least little long look looking looks mean mention mentioned moment morning need needed needs never new next
  nice nothing obviously ok okay old please possible possibly probably properly put quick quickly regards right say
  says see seem seems something somehow someone soon stuff sure take tell thank thanks think thought today tomorrow
  tried try trying two understand use used useful using usual usually want wanted wants went whole wonder wondering
  wrong yesterday
`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
