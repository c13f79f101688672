// The one file of C++: RE2 has no other interface.
#include "bench/contender.h"

#include <memory>
#include <new>
#include <re2/re2.h>
#include <re2/set.h>
#include <string>
#include <vector>

namespace
{

struct State {
    State(const RE2::Options &options) : set(options, RE2::UNANCHORED)
    {
    }
    RE2::Set set;
    std::vector<uint32_t> rules; // of the set's patterns
    std::vector<int> matches;
};

void *Build(const er_rule *rules, size_t count, size_t *refused)
{
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1); // bytes, as for the others
    options.set_log_errors(false);
    options.set_max_mem(int64_t{1} << 30); // below this the states are thrown away and made again
    auto state = std::make_unique<State>(options);
    *refused = 0;
    for (size_t i = 0; i < count; i++) {
        const std::string pattern(rules[i].pattern.at, rules[i].pattern.len);
        if (state->set.Add(pattern, nullptr) < 0) {
            ++*refused;
        } else {
            state->rules.push_back(static_cast<uint32_t>(i));
        }
    }
    return state->set.Compile() ? state.release() : nullptr;
}

size_t Match(void *opaque, er_slice line, uint32_t rule, bool *found)
{
    auto *state = static_cast<State *>(opaque);
    state->set.Match(re2::StringPiece(line.at, line.len), &state->matches);
    *found = false;
    for (const int match : state->matches) {
        *found = *found || state->rules[static_cast<size_t>(match)] == rule;
    }
    return state->matches.size();
}

void End(void *opaque)
{
    delete static_cast<State *>(opaque);
}

} // namespace

extern "C" const bench_contender bench_re2 = {"RE2::Set", Build, Match, End};
