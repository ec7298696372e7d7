//! Which hosts that tests start run what changed: what their factories take out of the services does not.

use cortex_check::{Repository, Service, json};
use cortex_wire::StartingTests;

/// An application with a hosted service and services that are injected, and a factory that says nothing yet.
const HOST: &str = "
//- /A.cs project:App
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
namespace App;
public class Startup {
    public void ConfigureServices(IServiceCollection services) {
        services.AddHostedService<Jobs.Cleaner>();
        services.AddSingleton<IMailer, Mailer>();
        services.AddSingleton<IClock>(p => new Clock());
        services.AddSingleton<Plain>();
        Jobs.Cleaner.Register(services);
    }
}
public interface IMailer { int Send(); }
public class Mailer : IMailer { public int Send() { return 10; } }
public class Noop : IMailer { public int Send() { return 0; } }
public class Welcome(IMailer mailer) { public int Greet() => mailer.Send(); }
public interface IClock { int Now(); }
public class Clock : IClock { public int Now() { return 20; } }
public class Plain { public int Go() { return 30; } }
//- /J.cs project:App
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
namespace App.Jobs;
public abstract class Base : IHostedService { public virtual int StartAsync(int n) { return 40; } }
public class Cleaner : Base {
    public override int StartAsync(int n) { return base.StartAsync(n) + new Broom().Sweep(1); }
    public static void Register(IServiceCollection services) { System.Console.Write(50); }
}
public class Broom { public int Sweep(int n) { return n + 60; } }
//- /F.cs project:Tests packages:xunit,NSubstitute refs:App
using App;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
namespace Tests;
public abstract class FactoryBase<T> : WebApplicationFactory<T> where T : class {
    public bool HasMail { get; set; }
    protected override void ConfigureWebHost(IWebHostBuilder builder) { /*base*/ }
    public void Without<TService>() { }
    private static void Swap<TService, TOther>(IServiceCollection services) {
        services.RemoveAll<TService>();
        services.AddSingleton<TService, TOther>();
    }
    private static void Swap<TService>(IServiceCollection services, TService other) {
        services.RemoveAll<TService>();
        services.AddSingleton<TService>(other);
    }
}
public class Factory : FactoryBase<Startup> {
    protected override void ConfigureWebHost(IWebHostBuilder builder) {
        base.ConfigureWebHost(builder);
        builder.ConfigureTestServices(services => {
            /*own*/
        });
    }
}
public class Derived : Factory { /*derived*/ }
//- /T.cs project:Tests
using Xunit;
namespace Tests;
public interface IClassFixture<T> { }
public class HostTests {
    [Fact] public void Starts() { new Factory(); }
    [Fact] public void Again() { new Factory(); }
}
public class FixtureTests(Derived factory) : IClassFixture<Derived> {
    [Fact] public void Gets() { new System.Net.Http.HttpClient().GetAsync(\"/\"); }
}
";

/// Which tests start the application, with what is taken out: by what the factory says and what changes.
#[track_caller]
fn starting(overrides: &[(&str, &str)], old: &str, new: &str) -> Vec<(usize, Option<String>)> {
    let mut before = HOST.to_owned();
    for (place, text) in overrides {
        assert!(before.contains(place), "{place}");
        before = before.replace(place, text);
    }
    assert!(before.contains(old), "{old}");
    let after = before.replace(old, new);
    let answer = Repository::history(&[&before, &after]).diff_context();
    let all = answer.impact.starting_tests.into_iter();
    all.map(
        |StartingTests {
             n_tests, removed, ..
         }| {
            let removed = removed.map(|it| format!("{} {}:{}", it.ty, it.path, it.line));
            (n_tests, removed)
        },
    )
    .collect()
}

/// What a factory takes out by some code changes nothing for its tests; without that code they run it.
#[track_caller]
fn check_removed(overrides: &str, change: (&str, &str), ty: &str) {
    let found = starting(&[("/*own*/", overrides)], change.0, change.1);
    assert_eq!(found, [(3, Some(format!("{ty} F.cs:24")))], "{overrides}");
}

#[track_caller]
fn check_runs(overrides: &str, change: (&str, &str)) {
    let found = starting(&[("/*own*/", overrides)], change.0, change.1);
    assert_eq!(found, [(3, None)], "{overrides}");
}

const JOB: (&str, &str) = ("base.StartAsync(n) +", "base.StartAsync(n) -");
const BASE: (&str, &str) = ("return 40", "return 41");
const BROOM: (&str, &str) = ("n + 60", "n + 61");
const MAILER: (&str, &str) = ("return 10", "return 11");
const CLOCK: (&str, &str) = ("return 20", "return 21");
const PLAIN: (&str, &str) = ("return 30", "return 31");

const FIRST: &str = "var job = services.First(sd => sd.ServiceType == typeof(IHostedService) && sd.ImplementationType == typeof(App.Jobs.Cleaner)); services.Remove(job);";

#[test]
fn a_hosted_service_that_a_factory_takes_out_does_not_run() {
    for change in [JOB, BASE, BROOM] {
        check_runs("", change);
        check_removed(FIRST, change, "App.Jobs.Cleaner");
    }
    let written = [
        "services.Remove(services.Single(sd => sd.ImplementationType == typeof(App.Jobs.Cleaner)));",
        "services.RemoveAll<IHostedService>();",
        "services.RemoveAll(typeof(IHostedService));",
        "var job = services.FirstOrDefault(sd => sd.ImplementationType == typeof(App.Jobs.Cleaner)); if (job != null) { services.Remove(job); }",
        "if (services.FirstOrDefault(sd => sd.ImplementationType == typeof(App.Jobs.Cleaner)) is { } job) services.Remove(job);",
        "foreach (var job in services.Where(sd => sd.ServiceType == typeof(IHostedService)).ToList()) services.Remove(job);",
    ];
    for written in written {
        check_removed(written, JOB, "App.Jobs.Cleaner");
    }
}

#[test]
fn what_leaves_the_service_or_is_not_certain_takes_nothing_out() {
    let written = [
        // The first of several hosted services may be another one.
        "services.Remove(services.First(sd => sd.ServiceType == typeof(IHostedService)));",
        "services.AddHostedService<Other>();",
        "services.RemoveAll<IMailer>();",
        "if (HasMail) { services.RemoveAll<IHostedService>(); }",
        "services.Remove(services.First(sd => sd.Lifetime == 0 && sd.ImplementationType == typeof(App.Jobs.Cleaner)));",
        "services.RemoveAll<IHostedService>(); services.AddHostedService<App.Jobs.Cleaner>();",
        "services.First(sd => sd.ImplementationType == typeof(App.Jobs.Cleaner));",
        "if (!HasMail) return; services.RemoveAll<IHostedService>();",
        "if (!HasMail) { throw new System.Exception(); } services.RemoveAll<IHostedService>();",
    ];
    for written in written {
        check_runs(written, JOB);
    }
    check_removed(
        "if (HasMail) { Write(1); } services.RemoveAll<IHostedService>();",
        JOB,
        "App.Jobs.Cleaner",
    );
    // Static code runs without an object.
    check_runs(FIRST, ("Write(50)", "Write(51)"));
    // What is called from elsewhere, too, still runs.
    let elsewhere = (
        "public int Go() {",
        "public int Go() { new App.Jobs.Broom().Sweep(2);",
    );
    let found = starting(&[elsewhere, ("/*own*/", FIRST)], BROOM.0, BROOM.1);
    assert_eq!(found, [(3, None)]);
}

#[test]
fn a_base_from_outside_may_be_any_service() {
    let base = (
        "abstract class Base : IHostedService",
        "abstract class Base : BackgroundService",
    );
    let all = ("/*own*/", "services.RemoveAll<IHostedService>();");
    let found = starting(&[base, all], JOB.0, JOB.1);
    assert_eq!(found, [(3, Some("App.Jobs.Cleaner F.cs:24".to_owned()))]);
}

#[test]
fn a_service_with_another_implementation_does_not_run_the_one_of_the_application() {
    let written = [
        "services.RemoveAll<IMailer>();",
        "services.AddSingleton<IMailer, Noop>();",
        "services.AddSingleton(Substitute.For<IMailer>());",
        "services.Replace(ServiceDescriptor.Singleton<IMailer, Noop>());",
        "services.Replace(new ServiceDescriptor(typeof(IMailer), typeof(Noop), 0));",
        "services.Add(ServiceDescriptor.Singleton(typeof(IMailer), Substitute.For<IMailer>()));",
        "Swap<IMailer, Noop>(services);",
    ];
    for written in written {
        let found = starting(&[("/*own*/", written)], MAILER.0, MAILER.1);
        assert!(
            matches!(&found[..], [(3, Some(told))] if told.starts_with("App.Mailer F.cs:")),
            "{written}: {found:?}"
        );
    }
    check_runs("", MAILER);
    // A list of doubles is no container.
    check_runs("mocks.Add(Substitute.For<IMailer>());", MAILER);
    check_runs("mocks.Add(new Wrapper(Substitute.For<IMailer>()));", MAILER);
    check_runs("services.AddSingleton<IMailer, Mailer>();", MAILER);
    check_runs("services.TryAddSingleton<IMailer, Noop>();", MAILER);
    check_runs("Swap<IMailer, Mailer>(services);", MAILER);
    check_removed("services.RemoveAll<IClock>();", CLOCK, "App.Clock");
    check_removed("services.RemoveAll<Plain>();", PLAIN, "App.Plain");
    // Who takes all of a service gets those before the last one as well.
    let all = (
        "Welcome(IMailer mailer)",
        "Welcome(IEnumerable<IMailer> all, IMailer mailer)",
    );
    let added = ("/*own*/", "services.AddSingleton<IMailer, Noop>();");
    assert_eq!(starting(&[all, added], MAILER.0, MAILER.1), [(3, None)]);
}

#[test]
fn helpers_and_bases_of_a_factory_count_where_building_the_host_calls_them() {
    let swap = "builder.ConfigureTestServices(services => { Swap(services, Substitute.For<IMailer>()); });";
    let found = starting(&[("/*base*/", swap)], MAILER.0, MAILER.1);
    assert_eq!(found, [(3, Some("App.Mailer F.cs:16".to_owned()))]);
    // Not where the base is not called, or by what a test may call.
    let found = starting(
        &[("/*base*/", swap), ("base.ConfigureWebHost(builder);", "")],
        MAILER.0,
        MAILER.1,
    );
    assert_eq!(found, [(3, None)]);
    let may = (
        "Without<TService>() { }",
        "Without<TService>() { Get(services => services.RemoveAll<IMailer>()); }",
    );
    assert_eq!(starting(&[may], MAILER.0, MAILER.1), [(3, None)]);
    // One more derived takes it out for its tests alone.
    let derived = "protected override void ConfigureWebHost(IWebHostBuilder builder) { base.ConfigureWebHost(builder); builder.ConfigureTestServices(services => services.RemoveAll<IMailer>()); }";
    let found = starting(&[("/*derived*/", derived)], MAILER.0, MAILER.1);
    let removed = Some("App.Mailer F.cs:28".to_owned());
    assert_eq!(found, [(2, None), (1, removed)]);
}

#[test]
fn what_is_taken_out_is_told_in_markdown() {
    let world = Service::parse(&HOST.replace("/*own*/", FIRST));
    world.edit("J.cs", JOB.0, JOB.1);
    world.commit("change");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let row = "\n3 tests in Tests start App without Cleaner, removed in F.cs:24: they do not run what changed\n";
    assert!(text.contains(row), "{text}");
    // Who looks for a registration makes no object of its type.
    assert!(text.contains("\nnone of 3 tests"), "{text}");
    let world = Service::parse(&HOST.replace("/*own*/", "services.RemoveAll<Plain>();"));
    world.edit("A.cs", PLAIN.0, PLAIN.1);
    world.commit("change");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    assert!(text.contains("\nnone of 3 tests"), "{text}");
}
